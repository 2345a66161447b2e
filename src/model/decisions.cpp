#include "model/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tutti {

namespace {

/// A choice for more ranks would take too long to check.
constexpr int most_ranks = 1 << 14;

/// Why what a choice names cannot run there with so many bytes; empty if it can.
std::string unmet(const DecisionRow& row, const Request& request, std::size_t bytes) {
  const std::size_t element = usual_element_bytes(row.collective);
  Problem problem{.collective = row.collective, .p = row.topology->p()};
  if (!is_vector(row.collective)) bytes /= static_cast<std::size_t>(problem.p);
  problem.count = row.collective == Collective::barrier ? 0 : bytes / element;
  problem.element_bytes = element;
  problem.topology = row.topology;
  std::string why = request.algorithm->unmet(problem, request.parameters);
  try {
    if (why.empty()) request.algorithm->resolve(problem, Rates{}, request.parameters);
  } catch (const std::invalid_argument& error) {
    why = fmt::format("cannot run: {}", error.what());
  }
  return why;
}

}  // namespace

bool DecisionRow::covers(Collective of, const Topology& on, Evenness evenness) const {
  return of == collective && *topology == on &&
         (blocks == evenness || blocks == Evenness::any || evenness == Evenness::any);
}

std::string DecisionRow::describe() const {
  return fmt::format("{} on {}{}", name_of(collective), topology->describe(),
                     blocks == Evenness::any ? "" : fmt::format(", {} blocks", name_of(blocks)));
}

void Decisions::add(DecisionRow row) {
  const std::string place = row.describe();
  if (row.blocks != Evenness::any && !has_common_blocks(row.collective))
    throw std::invalid_argument(
        fmt::format("{}: its ranks do not know all blocks; leave \"blocks\" out", place));
  if (row.choices.empty() || row.choices.front().from != 0)
    throw std::invalid_argument(
        fmt::format("{}: the first choice must be from 0 bytes on; add it", place));
  for (std::size_t i = 1; i < row.choices.size(); ++i)
    if (row.choices[i].from <= row.choices[i - 1].from)
      throw std::invalid_argument(
          fmt::format("{}: from {} bytes stands behind from {}; order the choices by size", place,
                      row.choices[i].from, row.choices[i - 1].from));
  if (row.topology->p() > most_ranks)
    throw std::invalid_argument(fmt::format("{}: {} ranks are too many; {} are the most", place,
                                            row.topology->p(), most_ranks));
  for (std::size_t i = 0; i < row.choices.size(); ++i) {
    const Decision& each = row.choices[i];
    if (!each.request) continue;
    const Algorithm& algorithm = *each.request->algorithm;
    if (algorithm.collective != row.collective)
      throw std::invalid_argument(
          fmt::format("{}: {} is no algorithm of it; name another", place, algorithm.full_name()));
    // To its last byte: parameters may cut the data into too many pieces.
    const std::size_t last = i + 1 < row.choices.size() ? row.choices[i + 1].from - 1 : each.from;
    for (const std::size_t bytes : {each.from, last})
      if (const std::string why = unmet(row, *each.request, bytes); !why.empty())
        throw std::invalid_argument(
            fmt::format("{}: {} {}; name another", place, algorithm.full_name(), why));
  }
  if (find(row.collective, *row.topology, 0, row.blocks) != nullptr)
    throw std::invalid_argument(fmt::format("{} stands in two rows; remove one", place));
  rows_.push_back(std::move(row));
}

const Decision* Decisions::find(Collective collective, const Topology& topology, std::size_t bytes,
                                Evenness blocks) const {
  for (const DecisionRow& row : rows_) {
    if (!row.covers(collective, topology, blocks)) continue;
    const auto above =
        std::upper_bound(row.choices.begin(), row.choices.end(), bytes,
                         [](std::size_t n, const Decision& each) { return n < each.from; });
    return &*std::prev(above);
  }
  return nullptr;
}

}  // namespace tutti
