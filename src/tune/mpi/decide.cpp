// The decision table of a profile: model first, measurement where it matters.

#include "tune/mpi/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "measure/cutoffs.hpp"
#include "measure/elimination.hpp"
#include "measure/grid.hpp"
#include "measure/share.hpp"
#include "measure/statistics.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/candidates.hpp"
#include "timing/memory_limit.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"
#include "timing/trial.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr Noise noise = is_simulated ? Noise::none : Noise::some;

const std::string native_name = "native";

/// Calls of each candidate in the first pass; twice as many in each that follows.
constexpr int first_repetitions = 4;
constexpr int most_passes = 4;
constexpr int all_repetitions = first_repetitions * ((1 << most_passes) - 1);
/// Of the budget; the rest is for sizes between those where the choice changes.
constexpr double share_of_grid = 0.75;
/// Candidates of a case, at most, and by how much the model may be wrong at all.
constexpr std::size_t most_candidates = 12;
constexpr double most_error = 4;
/// Calls that are predicted to take no longer are measured whatever the model says of them, within
/// that.
constexpr double cheap_seconds = 1e-3;
/// What a measurement takes beside the calls: buffers, agreement.
constexpr double seconds_aside = 2e-3;

/// One decision: a collective at a size, judged by one cell or by the geometric mean over several.
struct Case {
  Collective collective = Collective::barrier;
  std::size_t bytes = 0;
  std::vector<Cell> cells{};
  std::vector<Contender> contenders{};
  double best_predicted = 0;  // of the cells, geometric mean
  double mean = 1;  // of the model's choice: the arithmetic mean over the cells, over the geometric
  bool refined = false;
  Evenness blocks = Evenness::any;

  bool is_measured() const {
    return std::any_of(contenders.begin(), contenders.end(),
                       [](const Contender& each) { return !each.seconds.empty(); });
  }
};

Case case_of(Collective collective, int p, std::size_t bytes, Evenness blocks) {
  Case result{.collective = collective, .bytes = bytes, .blocks = blocks};
  if (collective == Collective::barrier) {
    result.cells.push_back({.collective = collective, .p = p});
    return result;
  }
  std::vector<std::size_t> sizes{bytes};
  const auto all = static_cast<std::size_t>(p);  // fewer elements, and most messages are empty
  if (!has_common_size(collective))
    sizes = {std::max<std::size_t>(32, all), std::max<std::size_t>(1 << 10, all), 32 << 10,
             1 << 20};
  std::vector<Distribution> distributions;
  if (blocks != Evenness::uneven) distributions.push_back(Distribution::regular);
  if (is_irregular(collective) && blocks != Evenness::even)
    distributions.insert(distributions.end(), {Distribution::spike, Distribution::broadcast});
  for (const std::size_t size : sizes)
    for (const Distribution each : distributions)
      result.cells.push_back({collective, p, size, each});
  return result;
}

/// What the model says of cases. Any rank can ask it.
class Ranking {
 public:
  Ranking(const Machine& machine, std::shared_ptr<const Topology> topology, bool exhaustive)
      : machine_(machine), topology_(std::move(topology)), exhaustive_(exhaustive) {}

  /// Fills in the contenders: the model's choice first, then the others by predicted time, the
  /// MPI's own last.
  void rank(Case& one) const {
    std::vector<Problem> problems;
    for (const Cell& cell : one.cells) problems.push_back(on_topology(cell.problem()));
    const Problem known = as_known(one.collective, problems.front());
    const Prediction model = predict(known, machine_).front();
    add(one, shortest_request(known, machine_, model), problems, true);
    for (const Prediction& each : found(known))
      add(one, shortest_request(known, machine_, each), problems, false);
    // Parameters follow what is known of a call, but which algorithm is good may differ by cell.
    for (const Problem& problem : problems)
      for (const Prediction& each :
           one.cells.size() > 1 ? found(problem) : std::vector<Prediction>{})
        add(one, {each.algorithm, {}}, problems, false);
    std::stable_sort(
        one.contenders.begin() + 1, one.contenders.end(),
        [](const Contender& a, const Contender& b) { return a.predicted < b.predicted; });
    one.best_predicted = one.contenders.front().predicted;
    for (const Contender& each : one.contenders)
      one.best_predicted = std::min(one.best_predicted, each.predicted);
    one.contenders.push_back({.name = native_name});
  }

  /// These, if they can run, and the model's choice.
  void rank(Case& one, const std::vector<std::string>& names) const {
    std::vector<Problem> problems;
    for (const Cell& cell : one.cells) problems.push_back(on_topology(cell.problem()));
    const Problem known = as_known(one.collective, problems.front());
    add(one, shortest_request(known, machine_, predict(known, machine_).front()), problems, true);
    for (const std::string& name : names)
      if (name == native_name)
        one.contenders.push_back({.name = native_name});
      else
        add(one, parse_request(name), problems, false);
    one.best_predicted = one.contenders.front().predicted;
  }

  /// With the parameters that it will have: the library would take those of an older profile, or of
  /// its first guess.
  std::string in_full(const std::string& name, const Cell& cell) const {
    if (name == native_name) return name;
    const Request request = parse_request(name);
    const Problem known = as_known(cell.collective, on_topology(cell.problem()));
    return format_request(
        *request.algorithm,
        request.algorithm->resolve(known, machine_.rates_for(*topology_), request.parameters));
  }

 private:
  Problem on_topology(Problem problem) const {
    problem.topology = topology_;
    return problem;
  }

  /// The problem that the run-time choice sees.
  Problem as_known(Collective collective, const Problem& problem) const {
    if (has_common_size(collective)) return problem;
    return on_topology(
        even_problem(collective, problem.p, static_cast<std::size_t>(problem.p) * guessed_bytes));
  }

  std::vector<Prediction> found(const Problem& problem) const {
    return exhaustive_ ? all_candidates(problem, machine_)
                       : candidates(problem, machine_, most_candidates, most_error);
  }

  void add(Case& one, const Request& request, const std::vector<Problem>& problems,
           bool is_first_choice) const {
    const std::string name = format_request(*request.algorithm, request.parameters);
    if (std::any_of(one.contenders.begin(), one.contenders.end(),
                    [&](const Contender& each) { return each.name == name; }))
      return;
    std::vector<double> seconds;
    for (const Problem& problem : problems) {
      if (!is_first_choice && !request.algorithm->unmet(problem, request.parameters).empty())
        return;
      try {
        const Parameters parameters = request.algorithm->resolve(
            as_known(one.collective, problem), machine_.rates_for(*topology_), request.parameters);
        seconds.push_back(predicted_seconds(problem, machine_, *request.algorithm, parameters));
        // Where counts are learned estimates take them as equal, which they are not here.
        if (!std::isfinite(seconds.back())) {
          const std::size_t bytes = problem.total() * problem.element_bytes;
          seconds.back() =
              predicted_seconds(on_topology(even_problem(one.collective, problem.p, bytes)),
                                machine_, *request.algorithm, parameters);
        }
      } catch (const std::invalid_argument&) {
        if (is_first_choice) throw;
        return;  // not with these parameters
      }
    }
    one.contenders.push_back({name, geometric_mean(seconds), is_first_choice});
    if (is_first_choice && one.contenders.back().predicted > 0)
      one.mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                 static_cast<double>(seconds.size()) / one.contenders.back().predicted;
  }

  const Machine machine_;
  const std::shared_ptr<const Topology> topology_;
  const bool exhaustive_;
};

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

/// Does what rank 0 asks for, on all ranks.
class Team {
 public:
  Team(MPI_Comm comm, const std::shared_ptr<const Topology>& topology, const Ranking& ranking)
      : comm_(comm), ranking_(ranking), memory_(comm, topology), stopwatch_(comm) {}

  /// On rank 0: the samples of each of these, geometric means over the cells. The first time of
  /// these cells the MPI's own is tried: it has none if it fails. None has any if there is no
  /// room.
  std::vector<std::vector<double>> measure(const std::vector<Cell>& cells,
                                           const std::vector<std::string>& names, int repetitions,
                                           bool first_time) {
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
  /// On rank 0: there is no more to do, and this came out.
  void end(const Json& outcome) {
    std::string order = Json{{"outcome", outcome}}.dump();
    share_text(order, comm_);
  }
  /// On the others: does what rank 0 asks for, until the end; what came out.
  Json follow_all() {
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

 private:
  std::vector<std::vector<double>> follow(const std::string& order) {
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

  void measure_cell(const Cell& cell, const std::vector<std::string>& names,
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

  /// If it does not that is not ours to mend, and no reason to lose the rest. A simulation takes
  /// long for it, and ends if it fails.
  bool try_native(const std::vector<Cell>& cells) {
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

  const MPI_Comm comm_;
  const Ranking& ranking_;
  const MemoryLimit memory_;
  Stopwatch stopwatch_;
};

/// On rank 0.
class Decider {
 public:
  /// `spent`: seconds of the budget.
  Decider(Team& team, const Ranking& ranking, const DecideOptions& options, int p, double spent)
      : team_(team), ranking_(ranking), options_(options), p_(p), begin_(PMPI_Wtime() - spent) {}

  std::vector<DecisionRow> decide(std::vector<Case>& cases,
                                  const std::shared_ptr<const Topology>& topology,
                                  Decided& report) {
    run(cases, share_of_grid);
    refine(cases);
    std::vector<DecisionRow> rows;
    for (const std::vector<const Case*>& of_it : by_row(cases)) {
      DecisionRow row{of_it.front()->collective, topology, {}, of_it.front()->blocks};
      for (const SizeChoice& each : merged(choices(of_it, &report))) {
        Decision decision{each.bytes, {}, each.seconds, each.measured};
        if (each.name != native_name) decision.request = parse_request(each.name);
        row.choices.push_back(std::move(decision));
      }
      for (const Case* each : of_it)
        if (each->is_measured()) row.measured.push_back(measured_at(*each));
      rows.push_back(std::move(row));
    }
    report.sizes = cases.size();
    for (const Case& each : cases) {
      report.measured += each.is_measured();
      for (const Contender& one : each.contenders) report.candidates += !one.seconds.empty();
    }
    return rows;
  }

 private:
  double elapsed() const { return PMPI_Wtime() - begin_; }

  void say(double share, const Case& next) const {
    if (!options_.progress) return;
    options_.progress(share, fmt::format("{}{}", name_of(next.collective),
                                         next.bytes > 0 ? " " + format_bytes(next.bytes) : ""));
  }

  /// What calls of all who are in the race take, by what is known.
  double cost(const Case& one, int repetitions) const {
    double all = 0, least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : in_race(one)) {
      const Contender& contender = one.contenders[i];
      const double each = !contender.seconds.empty() ? median_of(contender.seconds).value
                          : contender.predicted > 0  ? contender.predicted * slower_
                                                     : one.best_predicted * slower_;
      all += each;
      least = std::min(least, each);
    }
    const int calls = repetitions + (least < Stopwatch::long_seconds ? 1 : 0);
    return cells_of(one) * (all * one.mean * calls + seconds_aside);
  }

  ModelError error_of(const Case& one) const {
    const auto known = errors_.find({one.collective, one.blocks});
    return known == errors_.end() ? ModelError{} : known->second;
  }

  static double cells_of(const Case& one) { return static_cast<double>(one.cells.size()); }

  /// Within the model's error, cheap, or without a prediction; later those who were there at first,
  /// since times are compared call by call.
  std::vector<std::size_t> in_race(const Case& one) const {
    const double within = one.best_predicted * error_of(one).factor();
    const double cheap = noise == Noise::none ? 0 : cheap_seconds / one.mean;
    const double most = std::max(within, cheap);
    const bool all = options_.exhaustive || one.refined, began = one.is_measured();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < one.contenders.size(); ++i) {
      const Contender& each = one.contenders[i];
      if (each.is_out) continue;
      const bool enters =
          all || each.is_first_choice || each.predicted == 0 || each.predicted <= most;
      if (began ? !each.seconds.empty() : enters) places.push_back(i);
    }
    return places;
  }

  /// Passes over all cases, the cheap ones first. All cells get the same share of the time, unless
  /// they need less; who needs more than that for one call of each waits for what is left.
  void run(std::vector<Case>& cases, double share) {
    std::vector<Case*> order;
    for (Case& each : cases)
      if (!each.is_measured()) order.push_back(&each);
    const bool unlimited = noise == Noise::none || options_.exhaustive;
    const double end = options_.budget * share;
    const int passes = noise == Noise::none ? 1 : most_passes;
    int repetitions = noise == Noise::none ? 1 : first_repetitions, done = 0;
    for (int pass = 0; pass < passes; ++pass, done += repetitions, repetitions *= 2) {
      sort_by_cost(order);
      std::vector<double> wanted;
      for (const Case* each : order)
        wanted.insert(wanted.end(), each->cells.size(),
                      cost(*each, all_repetitions - done) / cells_of(*each));
      const double most =
          unlimited ? std::numeric_limits<double>::infinity() : fair_share(wanted, end - elapsed());
      for (Case* each : order) {
        say_next(*each, cases.size() * static_cast<std::size_t>(passes), unlimited);
        if (is_interrupted() || (!unlimited && elapsed() >= end)) return;
        const double share_of_it = most * cells_of(*each) / cost(*each, repetitions);
        const double affordable = std::min(1.0, share_of_it) * repetitions;
        if (affordable >= 1) measure(*each, static_cast<int>(affordable));
      }
      std::erase_if(order, [](const Case* each) {
        return each->is_measured() && is_settled(each->contenders);
      });
    }
    std::erase_if(order, [](const Case* each) { return each->is_measured(); });
    sort_by_cost(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      say_next(*order[i], order.size(), unlimited);
      const double left = end - elapsed(), one_call = cost(*order[i], 1);
      if (is_interrupted() || one_call > left) return;
      const double affordable = left / static_cast<double>(order.size() - i) / one_call;
      measure(*order[i], static_cast<int>(std::clamp(affordable, 1.0, 1.0 * first_repetitions)));
    }
  }

  void sort_by_cost(std::vector<Case*>& order) const {
    std::vector<std::pair<double, Case*>> by_cost;
    for (Case* each : order) by_cost.emplace_back(cost(*each, 1), each);
    std::stable_sort(by_cost.begin(), by_cost.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(by_cost.begin(), by_cost.end(), order.begin(),
                   [](const auto& each) { return each.second; });
  }

  void say_next(const Case& next, std::size_t steps, bool unlimited) {
    const double done = unlimited ? static_cast<double>(done_++) / static_cast<double>(steps)
                                  : elapsed() / options_.budget;
    say(std::min(1.0, done), next);
  }

  void measure(Case& one, int repetitions) {
    const std::vector<std::size_t> places = in_race(one);
    if (places.size() < 2) return;
    std::vector<std::string> names;
    for (const std::size_t i : places) names.push_back(one.contenders[i].name);
    const bool is_first = !one.is_measured();
    const double expected = cost(one, repetitions), begin = elapsed();
    auto samples = team_.measure(one.cells, names, repetitions, is_first);
    const bool any =
        std::any_of(samples.begin(), samples.end(), [](const auto& each) { return !each.empty(); });
    if (is_first && expected > 0 && any) {
      // Rates may be off, and ranks may outnumber cores.
      spent_ += elapsed() - begin;
      planned_ += expected / slower_;
      slower_ = std::clamp(spent_ / planned_, 1.0, 100.0);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      Contender& contender = one.contenders[places[k]];
      contender.is_out = samples[k].empty();
      contender.seconds.insert(contender.seconds.end(), samples[k].begin(), samples[k].end());
    }
    if (is_first) errors_[{one.collective, one.blocks}].add(one.contenders);
    leave_out(one.contenders, noise);
  }

  /// Sizes between those where the choice changes, with what is taken on both sides.
  void refine(std::vector<Case>& cases) {
    std::vector<Case> more;
    for (const std::vector<const Case*>& of_it : by_row(cases)) {
      const std::vector<SizeChoice> at = choices(of_it, nullptr);
      for (const std::size_t bytes : sizes_between(at)) {
        const auto above = std::find_if(at.begin(), at.end(),
                                        [&](const SizeChoice& each) { return each.bytes > bytes; });
        Case one = case_of(of_it.front()->collective, p_, bytes, of_it.front()->blocks);
        one.refined = true;
        ranking_.rank(one, {std::prev(above)->name, above->name});
        more.push_back(std::move(one));
      }
    }
    cases.insert(cases.end(), more.begin(), more.end());
    run(cases, 1);
  }

  /// The cases of each row of the table, by size.
  static std::vector<std::vector<const Case*>> by_row(const std::vector<Case>& cases) {
    std::vector<std::vector<const Case*>> lists;
    for (const Case& each : cases) {
      auto list = std::find_if(lists.begin(), lists.end(), [&](const auto& some) {
        return some.front()->collective == each.collective && some.front()->blocks == each.blocks;
      });
      if (list == lists.end()) list = lists.emplace(lists.end());
      list->push_back(&each);
    }
    for (auto& list : lists)
      std::sort(list.begin(), list.end(),
                [](const Case* a, const Case* b) { return a->bytes < b->bytes; });
    return lists;
  }

  /// The contenders at the nearest size that was measured; none if there is none.
  static std::vector<Contender> measured_near(const std::vector<const Case*>& sizes,
                                              const Case& one) {
    const auto distance = [&](const Case* other) {
      return std::abs(std::log(static_cast<double>(std::max<std::size_t>(1, other->bytes))) -
                      std::log(static_cast<double>(std::max<std::size_t>(1, one.bytes))));
    };
    const Case* nearest = nullptr;
    for (const Case* each : sizes)
      if (each->is_measured() && (nearest == nullptr || distance(each) < distance(nearest)))
        nearest = each;
    return nearest == nullptr ? std::vector<Contender>{} : nearest->contenders;
  }

  /// What contenders took, the fastest first.
  static SizeMeasured measured_at(const Case& one) {
    SizeMeasured result{one.bytes, {}};
    for (const Contender& each : one.contenders)
      if (!each.seconds.empty()) {
        const std::string in_table = each.name.substr(each.name.find('/') + 1);
        result.seconds.emplace_back(in_table, median_of(each.seconds).value);
      }
    std::stable_sort(result.seconds.begin(), result.seconds.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    return result;
  }

  /// What is taken at each size of a collective.
  static std::vector<SizeChoice> choices(const std::vector<const Case*>& sizes, Decided* report) {
    std::vector<std::vector<Option>> options;
    for (const Case* each : sizes) {
      const std::vector<double> found =
          each->is_measured() ? regrets(each->contenders, noise)
                              : regrets_as_near(each->contenders, measured_near(sizes, *each));
      options.emplace_back();
      for (std::size_t i = 0; i < found.size(); ++i)
        options.back().push_back({each->contenders[i].name, found[i]});
    }
    const std::vector<std::size_t> taken = steady(options);
    std::vector<SizeChoice> result;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const Contender& one = sizes[k]->contenders[taken[k]];
      const bool measured = !one.seconds.empty();
      const double seconds = measured ? median_of(one.seconds).value : one.predicted;
      result.push_back({sizes[k]->bytes, one.name, seconds, measured});
      const Contender& model = sizes[k]->contenders.front();
      if (report != nullptr && taken[k] != 0 && !model.seconds.empty())
        report->changes.push_back({sizes[k]->collective, sizes[k]->bytes, model.name, one.name,
                                   median_of(ratios(model.seconds, one.seconds)).value});
    }
    return result;
  }

  Team& team_;
  const Ranking& ranking_;
  const DecideOptions& options_;
  const int p_;
  const double begin_;
  std::map<std::pair<Collective, Evenness>, ModelError> errors_;  // by row of the table
  double spent_ = 0, planned_ = 0, slower_ = 1;  // what measuring took, over what was predicted
  std::size_t done_ = 0;
};

std::vector<Case> all_cases(const DecideOptions& options, int p) {
  std::vector<Collective> collectives = options.collectives;
  for (int i = 0; i < collective_count && options.collectives.empty(); ++i)
    collectives.push_back(static_cast<Collective>(i));
  std::vector<std::size_t> sizes = options.sizes;
  if (sizes.empty()) sizes = grid_named("full").sizes;
  std::vector<Case> cases;
  for (const Collective collective : collectives) {
    if (!has_common_size(collective)) {
      cases.push_back(case_of(collective, p, 0, Evenness::any));
      continue;
    }
    std::vector<Evenness> kinds{Evenness::any};
    if (has_common_blocks(collective)) kinds = {Evenness::even, Evenness::uneven};
    for (const Evenness blocks : kinds)
      for (const std::size_t bytes : sizes) cases.push_back(case_of(collective, p, bytes, blocks));
  }
  return cases;
}

/// The ranks share the work.
void rank_all(std::vector<Case>& cases, const Ranking& ranking, MPI_Comm comm) {
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
      Case& one = cases[each[0].get<std::size_t>()];
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

Machine machine_of(const Profile& profile, const Topology& topology) {
  Machine machine = profile.machine_for(topology);
  if (machine.node.cores == 0 && profile.measured_on)
    machine.node.cores = profile.measured_on->cores;
  return machine;
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
  const Ranking ranking(machine_of(profile, *topology), topology, options.exhaustive);
  std::vector<Case> cases = all_cases(options, p);
  rank_all(cases, ranking, comm);
  report.ranking = seconds();

  Team team(comm, topology, ranking);
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
