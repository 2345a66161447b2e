// A profile's table of decisions: what to take from which size on.

#include "model/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tutti::core {

namespace {

/// A choice for more ranks would take too long to check.
constexpr int most_ranks_decided = 1 << 14;

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

std::string name_in_table(const std::optional<Request>& request) {
  if (!request) return "native";
  const std::string name = format_request(*request->algorithm, request->parameters);
  return name.substr(name.find('/') + 1);
}

bool DecisionRow::is_for(Collective of, Evenness evenness) const {
  return of == collective &&
         (blocks == evenness || blocks == Evenness::any || evenness == Evenness::any);
}

bool DecisionRow::covers(Collective of, const Topology& on, Evenness evenness) const {
  return is_for(of, evenness) && *topology == on;
}

std::string DecisionRow::describe() const {
  return fmt::format("{} on {}{}", name_of(collective), topology->describe(),
                     blocks == Evenness::any ? "" : fmt::format(", {} blocks", name_of(blocks)));
}

const Decision& DecisionRow::choice_for(std::size_t bytes) const {
  return *std::prev(
      std::upper_bound(choices.begin(), choices.end(), bytes,
                       [](std::size_t n, const Decision& each) { return n < each.from; }));
}

Ground DecisionRow::ground_for(std::size_t bytes) const {
  const Decision& choice = choice_for(bytes);
  Ground ground{choice.seconds, choice.measured};
  const auto distance = [&](const SizeMeasured& each) {
    const auto lg = [](std::size_t n) { return std::log2(std::max<double>(1, n)); };
    return std::abs(lg(each.bytes) - lg(bytes));
  };
  const auto near = std::min_element(
      measured.begin(), measured.end(),
      [&](const SizeMeasured& a, const SizeMeasured& b) { return distance(a) < distance(b); });
  if (near == measured.end() || &choice_for(near->bytes) != &choice) return ground;
  const std::string name = name_in_table(choice.request);
  for (const auto& [each, seconds] : near->seconds)
    if (each == name)
      ground.seconds = seconds, ground.measured = true, ground.at = &*near;
    else if (ground.next.empty())
      ground.next = each, ground.next_seconds = seconds;
  return ground.at != nullptr ? ground : Ground{choice.seconds, choice.measured};
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
  if (row.topology->p() > most_ranks_decided)
    throw std::invalid_argument(fmt::format("{}: {} ranks are too many; {} are the most", place,
                                            row.topology->p(), most_ranks_decided));
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
  for (std::size_t i = 1; i < row.measured.size(); ++i)
    if (row.measured[i].bytes <= row.measured[i - 1].bytes)
      throw std::invalid_argument(
          fmt::format("{}: measured at {} bytes stands behind {}; order it by size", place,
                      row.measured[i].bytes, row.measured[i - 1].bytes));
  if (std::any_of(rows_.begin(), rows_.end(), [&](const DecisionRow& each) {
        return each.covers(row.collective, *row.topology, row.blocks);
      }))
    throw std::invalid_argument(fmt::format("{} stands in two rows; remove one", place));
  rows_.push_back(std::move(row));
}

const DecisionRow* Decisions::row(Collective collective, const Topology& topology,
                                  Evenness blocks) const {
  const DecisionRow* found = nullptr;
  for (const DecisionRow& each : rows_) {
    if (!each.is_for(collective, blocks) || !each.topology->has_nodes_of(topology)) continue;
    if (*each.topology == topology) return &each;
    // Ranks may have been bound otherwise: the nodes are the same.
    if (found == nullptr) found = &each;
  }
  return found;
}

const Decision* Decisions::find(Collective collective, const Topology& topology, std::size_t bytes,
                                Evenness blocks) const {
  const DecisionRow* const found = row(collective, topology, blocks);
  return found == nullptr ? nullptr : &found->choice_for(bytes);
}

}  // namespace tutti::core
