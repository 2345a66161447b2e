// What is worth a measurement: the candidates of each collective and size, as the model ranks them.

#include "tune/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "measure/statistics.hpp"
#include "select/choose.hpp"

namespace tutti::core {
namespace {

/// Candidates of a case, at most, and by how much the model may be wrong at all.
constexpr std::size_t most_candidates = 12;
constexpr double most_error = 4;

}  // namespace

DecisionCase case_of(Collective collective, int p, std::size_t bytes, Evenness blocks) {
  DecisionCase result{.collective = collective, .bytes = bytes, .blocks = blocks};
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

std::vector<DecisionCase> all_cases(std::vector<Collective> collectives,
                                    std::vector<std::size_t> sizes, int p) {
  if (collectives.empty())
    for (int i = 0; i < collective_count; ++i) collectives.push_back(static_cast<Collective>(i));
  if (sizes.empty()) sizes = grid_named("full").sizes;
  std::vector<DecisionCase> cases;
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

void Ranking::rank(DecisionCase& one) const {
  std::vector<Problem> problems;
  for (const Cell& cell : one.cells) problems.push_back(on_topology(cell.problem()));
  const Problem known = known_of(problems.front()).problem;
  const Prediction model = predict(known, machine_, {}, care_of_programs).front();
  add(one, shortest_request(known, machine_, model), problems, true);
  for (const Prediction& each : found(known))
    add(one, shortest_request(known, machine_, each), problems, false);
  // Parameters follow what is known of a call, but which algorithm is good may differ by cell.
  for (const Problem& problem : problems)
    for (const Prediction& each : one.cells.size() > 1 ? found(problem) : std::vector<Prediction>{})
      add(one, {each.algorithm, {}}, problems, false);
  std::stable_sort(
      one.contenders.begin() + 1, one.contenders.end(),
      [](const Contender& a, const Contender& b) { return a.predicted < b.predicted; });
  one.best_predicted = one.contenders.front().predicted;
  for (const Contender& each : one.contenders)
    one.best_predicted = std::min(one.best_predicted, each.predicted);
  one.contenders.push_back({.name = native_name});
}

void Ranking::rank(DecisionCase& one, const std::vector<std::string>& names) const {
  std::vector<Problem> problems;
  for (const Cell& cell : one.cells) problems.push_back(on_topology(cell.problem()));
  const Problem known = known_of(problems.front()).problem;
  add(one,
      shortest_request(known, machine_, predict(known, machine_, {}, care_of_programs).front()),
      problems, true);
  for (const std::string& name : names)
    if (name == native_name)
      one.contenders.push_back({.name = native_name});
    else
      add(one, parse_request(name), problems, false);
  one.best_predicted = one.contenders.front().predicted;
}

std::string Ranking::in_full(const std::string& name, const Cell& cell) const {
  if (name == native_name) return name;
  const Request request = parse_request(name);
  const Problem known = known_of(on_topology(cell.problem())).problem;
  return format_request(
      *request.algorithm,
      request.algorithm->resolve(known, machine_.rates_for(topology_.get()), request.parameters));
}

Problem Ranking::on_topology(Problem problem) const {
  problem.topology = topology_;
  return problem;
}

std::vector<Prediction> Ranking::found(const Problem& problem) const {
  return exhaustive_ ? all_candidates(problem, machine_)
                     : candidates(problem, machine_, most_candidates, most_error);
}

void Ranking::add(DecisionCase& one, const Request& request, const std::vector<Problem>& problems,
                  bool is_first_choice) const {
  const std::string name = format_request(*request.algorithm, request.parameters);
  if (std::any_of(one.contenders.begin(), one.contenders.end(),
                  [&](const Contender& each) { return each.name == name; }))
    return;
  std::vector<double> seconds;
  for (const Problem& problem : problems) {
    if (!is_first_choice && !request.algorithm->unmet(problem, request.parameters).empty()) return;
    try {
      const Parameters parameters = request.algorithm->resolve(
          known_of(problem).problem, machine_.rates_for(topology_.get()), request.parameters);
      seconds.push_back(predicted_seconds(problem, machine_, *request.algorithm, parameters));
      // Where counts are learned estimates take them as equal, which they are not here.
      if (!std::isfinite(seconds.back())) {
        const std::size_t bytes = problem.total() * problem.element_bytes;
        seconds.back() =
            predicted_seconds(on_topology(even_problem(one.collective, problem.p, bytes)), machine_,
                              *request.algorithm, parameters);
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

}  // namespace tutti::core
