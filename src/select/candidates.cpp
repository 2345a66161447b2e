// What is worth a measurement: algorithms, and settings near the model's.

#include "select/candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "algorithms/shape.hpp"
#include "model/estimate.hpp"

namespace tutti::core {

namespace {

/// Pieces this much smaller and larger than the model's are tried.
constexpr std::size_t piece_step = 4;
/// Smaller segments would be too many pieces for the large calls of a range.
constexpr std::size_t least_segment = 256;
constexpr std::size_t radixes[] = {2, 3, 4, 8};
constexpr std::size_t most_longs = 2;
constexpr std::size_t inner_ones = 3;

/// Estimates cost time: parameters are varied of what is near the best with the model's own.
constexpr double promising_shape = 2;

std::size_t bytes_of(const Problem& problem) { return problem.total() * problem.element_bytes; }

/// Two dimensions, as equal as can be; one if p is prime.
std::size_t near_square(int p) {
  int rows = static_cast<int>(std::sqrt(static_cast<double>(p)));
  while (p % rows != 0) --rows;
  std::size_t shape = with_first(p / rows, 0);
  return rows > 1 ? with_first(rows, shape) : shape;
}

/// The places of the best few inner algorithms, if one rank of a node uses the network and if all
/// do.
std::vector<std::size_t> best_inner(const Problem& inner, const Machine& machine,
                                    const Topology& topology) {
  const auto known = algorithms_of(inner.collective);
  std::vector<std::size_t> places;
  Rates rates = machine.rates;
  for (const double share :
       {1.0, topology.largest() / machine.interface.factor(topology.largest())}) {
    rates.beta = machine.rates.beta * share;
    rates.beta_uni = machine.rates.beta_uni * share;
    std::size_t taken = 0;
    for (const Prediction& each : predict(inner.collective, inner.p, bytes_of(inner), rates,
                                          inner.commutative, inner.root)) {
      if (!each.valid() || !each.algorithm->may_be_inner()) continue;
      if (++taken > inner_ones) break;
      const auto place = static_cast<std::size_t>(
          std::find(known.begin(), known.end(), each.algorithm) - known.begin());
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
  }
  return places;
}

/// Settings near the model's, as they would be asked for.
std::vector<Parameters> variants(const Problem& problem, const Machine& machine,
                                 const Prediction& base) {
  std::vector<Parameters> found;
  const auto ranks = static_cast<std::size_t>(problem.p);
  for (const Parameter& parameter : base.algorithm->parameters) {
    const std::string name(parameter.name);
    const std::size_t value = base.parameters.at(name);
    const bool is_segment = parameter.kind == ParameterKind::segment;
    switch (parameter.kind) {
      case ParameterKind::segment:
      case ParameterKind::blocks: {
        const std::size_t least = is_segment ? least_segment : parameter.least;
        const std::size_t most = is_segment ? bytes_of(problem) : problem.total();
        for (const std::size_t other : {value / piece_step, value * piece_step}) {
          const std::size_t round = is_segment ? std::bit_floor(other) : other;
          if (round >= least && round < std::max(most, value) &&
              parameter.pieces(problem, round) <= most_pieces)
            found.push_back({{name, round}});
        }
        break;
      }
      case ParameterKind::radix:
        for (const std::size_t radix : radixes)
          if (radix <= std::max<std::size_t>(2, ranks)) found.push_back({{name, radix}});
        break;
      case ParameterKind::leaders: {
        const auto most = static_cast<std::size_t>(problem.topology->largest());
        for (std::size_t leaders = 2; leaders < most; leaders *= 2)
          found.push_back({{name, leaders}});
        for (const Parameters& given : by_domain(*base.algorithm, problem)) found.push_back(given);
        break;
      }
      case ParameterKind::shape:
        if (problem.p <= 1 << 16) found.push_back({{name, near_square(problem.p)}});
        if (const auto mesh = machine.mesh_of(problem.topology.get());
            mesh && mesh->p() == problem.p)
          found.push_back({{name, shape_of(*mesh)}});
        break;
      case ParameterKind::longs:
        for (std::size_t longs = 0; longs <= most_longs; ++longs) found.push_back({{name, longs}});
        break;
      case ParameterKind::inner: {
        Parameters given;
        for (const auto& [key, known] : base.parameters)
          if (key != name && !key.starts_with(name + ".")) given.emplace(key, known);
        for (const std::size_t place :
             best_inner(parameter.inner->of(problem, given), machine, *problem.topology)) {
          found.push_back(given);
          found.back().emplace(name, place);
        }
        break;
      }
    }
  }
  return found;
}

/// Times that differ only by rounding are equal.
bool is_faster(const Prediction& a, const Prediction& b) {
  return a.seconds < b.seconds * (1 - 1e-9);
}

/// All that can run: with the model's parameters whatever it takes, with others only if the
/// algorithm is near the best.
std::vector<Prediction> collect(const Problem& problem, const Machine& machine, double near) {
  std::vector<Prediction> found;
  const std::vector<Prediction> models = predict(problem, machine);
  const bool levels = is_estimated(problem.topology.get(), machine);
  const Rates rates = machine.rates_for(problem.topology.get());
  for (const Prediction& model : models) {
    if (!model.valid()) continue;
    found.push_back(model);
    // Closed forms are for equal blocks, but the defaults see the problem's.
    if (!levels) found.back().parameters = model.algorithm->resolve(problem, rates);
    if (levels && model.seconds > near * models.front().seconds) continue;
    // What cannot win was not followed over the links.
    if (levels && machine.mesh_of(problem.topology.get()))
      found.back().seconds =
          predicted_seconds(problem, machine, *model.algorithm, found.back().parameters);
    const std::size_t first = found.size() - 1;
    for (const Parameters& given : variants(problem, machine, found.back())) {
      if (!model.algorithm->unmet(problem, given).empty()) continue;
      Prediction other{model.algorithm, model.algorithm->resolve(problem, rates, given), 0, {}};
      if (std::any_of(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                      [&](const Prediction& each) { return each.parameters == other.parameters; }))
        continue;
      other.seconds = predicted_seconds(problem, machine, *other.algorithm, other.parameters);
      found.push_back(std::move(other));
    }
  }
  std::stable_sort(found.begin(), found.end(), is_faster);
  return found;
}

}  // namespace

double predicted_seconds(const Problem& problem, const Machine& machine, const Algorithm& algorithm,
                         const Parameters& parameters) {
  if (is_estimated(problem.topology.get(), machine))
    return estimate(problem, algorithm, parameters, machine);
  return closed_form(problem, static_cast<double>(bytes_of(problem)), algorithm, parameters,
                     machine.rates);
}

std::vector<Prediction> all_candidates(const Problem& problem, const Machine& machine) {
  return collect(problem, machine, std::numeric_limits<double>::infinity());
}

std::vector<Prediction> candidates(const Problem& problem, const Machine& machine, std::size_t most,
                                   double factor) {
  constexpr std::size_t most_of_one = 2;
  std::vector<Prediction> best;
  std::map<const Algorithm*, std::vector<double>> taken;
  for (Prediction& each : collect(problem, machine, promising_shape * factor)) {
    if (best.size() == most ||
        (!best.empty() && each.seconds > factor * best.front().seconds * (1 + 1e-9)))
      break;
    // With other parameters as fast means with other names for them: inner=knomial is binomial.
    std::vector<double>& times = taken[each.algorithm];
    if (times.size() == most_of_one ||
        (!times.empty() && each.seconds <= times.back() * (1 + 1e-9)))
      continue;
    times.push_back(each.seconds);
    best.push_back(std::move(each));
  }
  return best;
}

Request shortest_request(const Problem& problem, const Machine& machine,
                         const Prediction& prediction) {
  const Algorithm& algorithm = *prediction.algorithm;
  const Rates rates = machine.rates_for(problem.topology.get());
  Request request{&algorithm, {}};
  const auto settle = [&](const std::string& name, std::size_t value) {
    const Parameters found = algorithm.resolve(problem, rates, request.parameters);
    const auto same = found.find(name);
    if (same == found.end() || same->second != value) request.parameters.emplace(name, value);
  };
  // In the table's order: what stands first decides what the model takes for the rest.
  for (const Parameter& parameter : algorithm.parameters) {
    const std::string name(parameter.name);
    settle(name, prediction.parameters.at(name));
    if (!parameter.inner) continue;
    for (const auto& [key, value] : prediction.parameters)
      if (key.starts_with(name + ".")) {
        const bool was_given = request.parameters.contains(name);
        settle(key, value);
        // What is set of the inner one is read after its name.
        if (!was_given && request.parameters.contains(key))
          request.parameters.emplace(name, prediction.parameters.at(name));
      }
  }
  return request;
}

}  // namespace tutti::core
