// What an algorithm's row tells: its name, what it costs, and which parameters a problem is solved
// with.

#include "algorithms/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "algorithms/cost/cost.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/registry.hpp"

namespace tutti::core {

std::string Algorithm::valid_text() const {
  std::string result = valid.power_of_two ? "p = 2^k" : "any p";
  if (reduces(collective)) result += valid.commutative ? "; commutative" : ", any operator";
  if (valid.nodes == Valid::Nodes::consecutive) result += "; nodes of consecutive ranks";
  if (valid.nodes == Valid::Nodes::consecutive_unless_commutative)
    result += "; not commutative: nodes of consecutive ranks";
  return result;
}

std::string Algorithm::full_name() const { return fmt::format("{}/{}", name_of(collective), name); }

double Algorithm::seconds(const Size& size, const Rates& rates) const {
  if (size.n == 0 && collective != Collective::barrier && !learns) return 0;
  if (cost.value == nullptr) return std::numeric_limits<double>::infinity();
  return cost.value(size, rates) - overlapped(size, rates);
}

bool Algorithm::is_pipelined() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& each) { return each.pieces != nullptr; });
}

double Algorithm::overlapped(const Size& size, const Rates& rates) const {
  if (rates.post <= 0 || rounds.value == nullptr || is_pipelined()) return 0;
  const double exchanges = cost.value(size, {.alpha = 1}),
               one_way = cost.value(size, {.alpha_uni = 1}), messages = exchanges + one_way;
  const double more = messages - rounds.value(size);
  if (more <= 0) return 0;
  const double latency = (exchanges * rates.alpha + one_way * rates.alpha_uni) / messages;
  return more * std::max(0.0, latency - rates.post);
}

bool Algorithm::has(ParameterKind kind) const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& each) { return each.kind == kind; });
}

const Parameter* Algorithm::inner() const {
  for (const Parameter& parameter : parameters)
    if (parameter.inner) return &parameter;
  return nullptr;
}

namespace {

/// The fastest flat algorithm that a composition may use, by the model; its place.
std::size_t fastest_inner(const Problem& problem, const Rates& rates) {
  const auto known = algorithms_of(problem.collective);
  std::size_t best = known.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Algorithm& each = *known[i];
    if (!each.may_be_inner() || each.node_aware ||
        !each.valid.unmet(problem.p, problem.commutative).empty())
      continue;
    const double seconds = each.seconds({problem.p, bytes_of(problem), problem.root,
                                         problem.commutative, each.resolve(problem, rates)},
                                        rates);
    if (best < known.size() && seconds >= least * (1 - 1e-9)) continue;  // rounding is no gain
    best = i;
    least = seconds;
  }
  return best;
}

std::string unmet_inner(const Algorithm& inner, const Problem& problem, const Parameters& given) {
  const std::string unmet = inner.node_aware && problem.topology == nullptr
                                ? "is over nodes itself and needs leaders=domains"
                                : inner.unmet(problem, given);
  return unmet.empty() ? unmet : fmt::format("uses {}, which {}", inner.name, unmet);
}

/// Adds the inner algorithm to the parameters, with its own.
void resolve_inner(const Algorithm& algorithm, const Parameter& parameter, const Problem& problem,
                   const Rates& rates, Parameters& parameters) {
  const Problem inner_problem = parameter.inner->of(problem, parameters);
  const std::string name(parameter.name);
  if (!parameters.contains(name)) parameters.emplace(name, fastest_inner(inner_problem, rates));
  const Algorithm& inner = inner_algorithm(parameter.inner->collective, parameters.at(name));
  const Parameters given = inner_parameters(parameters);
  if (const std::string unmet = unmet_inner(inner, inner_problem, given); !unmet.empty())
    throw std::invalid_argument(fmt::format("{}: {}", algorithm.full_name(), unmet));
  for (const auto& [key, value] : inner.resolve(inner_problem, rates, given))
    parameters.emplace(fmt::format("{}.{}", name, key), value);
}

}  // namespace

std::string Algorithm::unmet(const Problem& problem, const Parameters& given) const {
  std::string own = valid.unmet(problem.p, problem.commutative, problem.topology.get());
  if (own.empty() && leaders_of(given).number && problem.topology != nullptr)
    own = valid.unmet(problem.p, problem.commutative,
                      parts_of(problem.topology, leaders_of(given)).get());
  for (const Parameter& parameter : parameters)
    if (const auto value = given.find(parameter.name);
        own.empty() && parameter.unmet != nullptr && value != given.end())
      own = parameter.unmet(problem, value->second);
  const Parameter* const by_name = inner();
  if (!own.empty() || by_name == nullptr || !given.contains(by_name->name)) return own;
  Parameters known = given;
  for (const Parameter& parameter : parameters)
    if (!parameter.inner && !known.contains(parameter.name))
      known.emplace(parameter.name, parameter.default_value(problem, {}, known));
  return unmet_inner(inner_algorithm(by_name->inner->collective, given.find(by_name->name)->second),
                     by_name->inner->of(problem, known), inner_parameters(given));
}

Parameters Algorithm::resolve(const Problem& problem, const Rates& rates,
                              const Parameters& given) const {
  for (const auto& [key, value] : given) {
    if (inner() != nullptr && key.starts_with(inner_prefix))
      continue;  // its own resolve sees to it
    const auto known =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == key; });
    if (known == parameters.end())
      throw std::invalid_argument(fmt::format("{} has no parameter '{}'", full_name(), key));
    if (value < known->least)
      throw std::invalid_argument(fmt::format("{}: {} = {}, but it must be at least {}",
                                              full_name(), key, value, known->least));
    const std::size_t pieces = known->pieces == nullptr ? 0 : known->pieces(problem, value);
    if (pieces > most_pieces + static_cast<std::size_t>(problem.p))
      throw std::invalid_argument(
          fmt::format("{}: {} = {} cuts the data into {} pieces, but {} are the most", full_name(),
                      key, value, pieces, most_pieces));
    if (known->unmet == nullptr) continue;
    if (const std::string unmet = known->unmet(problem, value); !unmet.empty())
      throw std::invalid_argument(fmt::format("{}: {}", full_name(), unmet));
  }
  Parameters result = given;
  for (const Parameter& parameter : parameters)
    if (parameter.inner)
      resolve_inner(*this, parameter, problem, rates, result);
    else if (!result.contains(parameter.name))
      result.emplace(parameter.name, parameter.default_value(problem, rates, result));
  return result;
}

Parameters inner_parameters(const Parameters& parameters) {
  Parameters result;
  for (const auto& [name, value] : parameters)
    if (name.starts_with(inner_prefix)) result.emplace(name.substr(inner_prefix.size()), value);
  return result;
}

Generator::Generator(const Algorithm& algorithm, const Call& call, const Parameters& parameters) {
  algorithm.generate(builder_, call, parameters);
}

}  // namespace tutti::core
