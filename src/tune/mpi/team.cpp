// Ranks that measure together: what rank 0 asks for reaches all as text.

#include "tune/mpi/team.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "request/request.hpp"
#include "timing/trial.hpp"

namespace tutti::core {

using Json = MpiTeam::Json;

std::vector<std::vector<double>> MpiTeam::measure(const std::vector<Cell>& cells,
                                                  const std::vector<std::string>& names,
                                                  int repetitions, bool first_time) {
  Json list = Json::array();
  for (const Cell& cell : cells)
    list.push_back({static_cast<int>(cell.collective), cell.p, cell.bytes,
                    static_cast<int>(cell.distribution)});
  std::string order =
      Json{{"cells", list}, {"names", names}, {"repetitions", repetitions}, {"first", first_time}}
          .dump();
  share_text(order, comm_);
  return follow(order);
}

void MpiTeam::end(const Json& outcome) {
  std::string order = Json{{"outcome", outcome}}.dump();
  share_text(order, comm_);
}

Json MpiTeam::follow_all() {
  while (true) {
    std::string order;
    share_text(order, comm_);
    const Json json = Json::parse(order);
    if (json.contains("outcome")) return json["outcome"];
    try {
      follow(order);
    } catch (const std::runtime_error&) {
      // A call failed: rank 0 knows, too, and ends all.
    }
  }
}

std::vector<std::vector<double>> MpiTeam::follow(const std::string& order) {
  const Json json = Json::parse(order);
  const auto names = json["names"].get<std::vector<std::string>>();
  std::vector<std::vector<double>> sums(names.size());
  std::vector<Cell> cells;
  for (const Json& each : json["cells"])
    cells.push_back({.collective = static_cast<Collective>(each[0].get<int>()),
                     .p = each[1].get<int>(),
                     .bytes = each[2].get<std::size_t>(),
                     .distribution = static_cast<Distribution>(each[3].get<int>())});
  const auto all_fit = [&](const auto& lack) {
    return std::all_of(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return lack(cell).empty(); });
  };
  if (!all_fit([&](const Cell& cell) { return memory_.lack(cell); })) return sums;
  std::vector<char> goes(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == native_name)
      goes[i] = !json["first"].get<bool>() ||
                (all_fit([&](const Cell& cell) { return memory_.lack_for_native(cell); }) &&
                 try_native(cells));
    else
      goes[i] = all_fit([&, algorithm = parse_request(names[i]).algorithm](const Cell& cell) {
        return memory_.lack_for(*algorithm, cell);
      });
  }
  for (const Cell& cell : cells)
    measure_cell(cell, names, goes, json["repetitions"].get<int>(), sums);
  for (std::vector<double>& sum : sums)
    for (double& each : sum) each = std::exp(each / static_cast<double>(cells.size()));
  return sums;
}

void MpiTeam::measure_cell(const Cell& cell, const std::vector<std::string>& names,
                           const std::vector<char>& goes, int repetitions,
                           std::vector<std::vector<double>>& sums) {
  CellCall cell_call(comm_, cell);
  std::vector<Candidate> candidates;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!goes[i]) continue;
    places.push_back(i);
    // The MPI's own, too, as it will run: called by Tutti.
    candidates.push_back(
        candidate_for(cell_call, names[i], number_of(ranking_.in_full(names[i], cell)), true));
  }
  if (candidates.empty()) return;
  const auto samples =
      stopwatch_.measure(candidates, {.repetitions = repetitions}, usual_start(cell.collective));
  for (std::size_t k = 0; k < places.size(); ++k) {
    std::vector<double>& sum = sums[places[k]];
    sum.resize(samples[k].size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::log(samples[k][i]);
  }
}

bool MpiTeam::try_native(const std::vector<Cell>& cells) {
  if (is_simulated) return true;
  try {
    for (const Cell& cell : cells) {
      CellCall cell_call(comm_, cell);
      run_once(comm_, cell_call, native_calls(), 0);
    }
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace tutti::core
