#include "model/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tutti {

void Decisions::add(DecisionRow row) {
  const std::string place =
      fmt::format("{} on {}", name_of(row.collective), row.topology->describe());
  if (row.choices.empty() || row.choices.front().from != 0)
    throw std::invalid_argument(
        fmt::format("{}: the first choice must be from 0 bytes on; add it", place));
  for (std::size_t i = 1; i < row.choices.size(); ++i)
    if (row.choices[i].from <= row.choices[i - 1].from)
      throw std::invalid_argument(
          fmt::format("{}: from {} bytes stands behind from {}; order the choices by size", place,
                      row.choices[i].from, row.choices[i - 1].from));
  for (const Decision& each : row.choices) {
    if (!each.request) continue;
    const Algorithm& algorithm = *each.request->algorithm;
    if (algorithm.collective != row.collective)
      throw std::invalid_argument(
          fmt::format("{}: {} is no algorithm of it; name another", place, algorithm.full_name()));
    Problem problem = Problem::even(row.collective, row.topology->p(),
                                    each.from / usual_element_bytes(row.collective));
    problem.element_bytes = usual_element_bytes(row.collective);
    problem.topology = row.topology;
    if (const std::string unmet = algorithm.unmet(problem, each.request->parameters);
        !unmet.empty())
      throw std::invalid_argument(
          fmt::format("{}: {} {}; name another", place, algorithm.full_name(), unmet));
  }
  if (find(row.collective, *row.topology, 0) != nullptr)
    throw std::invalid_argument(fmt::format("{} stands in two rows; remove one", place));
  rows_.push_back(std::move(row));
}

const Decision* Decisions::find(Collective collective, const Topology& topology,
                                std::size_t bytes) const {
  for (const DecisionRow& row : rows_) {
    if (row.collective != collective || !(*row.topology == topology)) continue;
    const auto above =
        std::upper_bound(row.choices.begin(), row.choices.end(), bytes,
                         [](std::size_t n, const Decision& each) { return n < each.from; });
    return &*std::prev(above);
  }
  return nullptr;
}

}  // namespace tutti
