// The decision table of a profile: model first, measurement where it matters.

#include "tune/mpi/table.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "request/request.hpp"
#include "timing/provenance.hpp"
#include "timing/trial.hpp"
#include "tune/mpi/team.hpp"

namespace tutti::core {
namespace {

using Json = MpiTeam::Json;

Json json_of(const std::vector<Contender>& contenders) {
  Json list = Json::array();
  for (const Contender& each : contenders)
    list.push_back({each.name, each.predicted, each.is_first_choice});
  return list;
}

std::vector<Contender> contenders_of(const Json& list) {
  std::vector<Contender> contenders;
  for (const Json& each : list)
    contenders.push_back({each[0].get<std::string>(), each[1].get<double>(), each[2].get<bool>()});
  return contenders;
}

Json json_of(const std::vector<DecisionRow>& rows) {
  Json list = Json::array();
  for (const DecisionRow& row : rows) {
    Json choices = Json::array();
    for (const Decision& each : row.choices)
      choices.push_back({each.from,
                         each.request
                             ? format_request(*each.request->algorithm, each.request->parameters)
                             : native_name,
                         each.seconds, each.measured});
    Json measured = Json::array();
    for (const SizeMeasured& each : row.measured) measured.push_back({each.bytes, each.seconds});
    list.push_back({{"collective", static_cast<int>(row.collective)},
                    {"blocks", static_cast<int>(row.blocks)},
                    {"choices", choices},
                    {"measured", measured}});
  }
  return list;
}

std::vector<DecisionRow> rows_of(const Json& list,
                                 const std::shared_ptr<const Topology>& topology) {
  std::vector<DecisionRow> rows;
  for (const Json& row : list) {
    rows.push_back({static_cast<Collective>(row["collective"].get<int>()),
                    topology,
                    {},
                    static_cast<Evenness>(row["blocks"].get<int>())});
    for (const Json& each : row["choices"]) {
      Decision decision{each[0].get<std::size_t>(), {}, each[2].get<double>(), each[3].get<bool>()};
      if (each[1] != native_name) decision.request = parse_request(each[1].get<std::string>());
      rows.back().choices.push_back(std::move(decision));
    }
    for (const Json& each : row["measured"])
      rows.back().measured.push_back(
          {each[0].get<std::size_t>(), each[1].get<std::vector<std::pair<std::string, double>>>()});
  }
  return rows;
}

/// The ranks share the work.
void rank_all(std::vector<DecisionCase>& cases, const Ranking& ranking, MPI_Comm comm) {
  int rank = 0, p = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  Json mine = Json::array();
  for (std::size_t i = rank; i < cases.size(); i += p) {
    ranking.rank(cases[i]);
    mine.push_back({i, cases[i].best_predicted, cases[i].mean, json_of(cases[i].contenders)});
  }
  for (const std::string& text : gather_texts(mine.dump(), comm))
    for (const Json& each : Json::parse(text)) {
      DecisionCase& one = cases[each[0].get<std::size_t>()];
      one.best_predicted = each[1];
      one.mean = each[2];
      one.contenders = contenders_of(each[3]);
    }
}

/// With these rows in place of what was there.
Decisions with_rows(const Decisions& old, std::vector<DecisionRow> rows) {
  Decisions result;
  for (const DecisionRow& each : old.rows())
    if (std::none_of(rows.begin(), rows.end(), [&](const DecisionRow& row) {
          return row.collective == each.collective && *row.topology == *each.topology;
        }))
      result.add(each);
  for (DecisionRow& row : rows) result.add(std::move(row));
  return result;
}

}  // namespace

Decided decide(MPI_Comm comm, Profile& profile, const DecideOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  int rank = 0, p = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  if (p == 1) return {};  // nothing to choose
  const std::shared_ptr<const Topology> topology = topology_seen(comm);
  Decided report{.topology = topology->describe()};
  const int cores = profile.measured_on ? profile.measured_on->cores : 0;
  const Ranking ranking(profile.machine_for(topology.get(), cores), topology, options.exhaustive);
  std::vector<DecisionCase> cases = all_cases(options.collectives, options.sizes, p);
  rank_all(cases, ranking, comm);
  report.ranking = seconds();

  MpiTeam team(comm, topology, ranking);
  Json outcome;
  if (rank == 0) {
    try {
      // Whatever the model took: half of the time is for measuring.
      const double spent = is_simulated ? 0 : std::min(report.ranking, options.budget / 2);
      const auto rows = Decider(team, ranking, options, p, spent).decide(cases, topology, report);
      outcome = {{"rows", json_of(rows)}, {"interrupted", is_interrupted()}};
    } catch (const std::exception& error) {
      outcome = {{"failure", error.what()}};
    }
    team.end(outcome);
  } else {
    outcome = team.follow_all();
  }
  if (outcome.contains("failure")) throw std::runtime_error(outcome["failure"]);
  report.interrupted = outcome["interrupted"];
  report.seconds = seconds();
  if (!report.interrupted)
    profile.decisions = with_rows(profile.decisions, rows_of(outcome["rows"], topology));
  return report;
}

}  // namespace tutti::core
