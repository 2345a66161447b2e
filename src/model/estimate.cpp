// What an algorithm takes where ranks share nodes, told from the schedules of a few nodes.

#include "model/estimate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "algorithms/pattern/nodes.hpp"
#include "model/step_by_step.hpp"

namespace tutti::core {

namespace {

/// What is asked, of which algorithm, where and how closely.
struct Question {
  const Algorithm& algorithm;
  const Parameters& parameters;
  const Machine& machine;
  SampleSize size;
};

Size size_of(const Problem& problem, const Parameters& parameters) {
  return {problem.p, static_cast<double>(problem.total() * problem.element_bytes), problem.root,
          problem.commutative, parameters};
}

/// Rounds of the algorithm, or at least of the one between nodes; none: nobody tells.
int least_rounds(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters) {
  if (algorithm.rounds.value != nullptr)
    return algorithm.rounds.value(size_of(problem, parameters));
  const Parameter* const by_name = algorithm.inner();
  if (by_name == nullptr) return 0;
  const Parameters::const_iterator name = parameters.find(by_name->name);
  if (name == parameters.end()) return 0;
  return least_rounds(by_name->inner->of(problem, parameters),
                      inner_algorithm(by_name->inner->collective, name->second),
                      inner_parameters(parameters));
}

struct Answer {
  double seconds = 0;
  std::size_t nodes = 0;  // that were looked at
};

Answer by_sample(const Problem& problem, const Topology& topology, const Question& asked) {
  const auto& [algorithm, parameters, machine, size] = asked;
  const std::optional<Mesh> mesh = machine.mesh_of(&topology);
  const Sample sample = sample_of(problem, topology, algorithm, parameters, size);
  const Followed steps = step_by_step(sample, topology, mesh, problem.element_bytes, machine);
  const std::size_t nodes = sample.nodes.size();
  if (sample.is_whole()) return {steps.seconds, nodes};
  // Steps in which no rank of the sample has anything to do cost what the others do. Those inside
  // nodes are all seen where it knows them.
  const auto count = static_cast<double>(std::max<std::size_t>(1, steps.count));
  const double missing = std::max(0.0, least_rounds(problem, algorithm, parameters) - count);
  const double each = algorithm.node_aware ? steps.between : steps.seconds / count;
  return {steps.seconds + missing * each, nodes};
}

/// Where rounds grow with the ranks, as in a ring, every node more takes as long. What of the
/// problem stays the same while it grows, is told by the closed form: it must grow so, too.
std::optional<double> by_fewer_nodes(const Problem& problem, Question asked) {
  const auto& [algorithm, parameters, machine, sampled] = asked;
  constexpr int long_enough = 128;
  if (problem.topology == nullptr || algorithm.node_aware || algorithm.cost.value == nullptr ||
      algorithm.rounds.value == nullptr || !problem.counts.empty() || !problem.in_place.empty())
    return std::nullopt;
  const Size size = size_of(problem, parameters);
  const Topology& topology = *problem.topology;
  // More than are sampled, unless all are.
  constexpr int all_sampled = 64;
  const int few = std::max(4, all_sampled / 2 / topology.largest()), more = few + 1;
  asked.size.is_whole = more * topology.largest() <= all_sampled;
  asked.size.is_compared = true;
  if (algorithm.rounds.value(size) < long_enough || topology.nodes() <= 2 * more ||
      !topology.is_uniform())
    return std::nullopt;
  std::optional<double> seconds;
  double least_error = 0.001;
  for (const bool as_long : {true, false}) {
    const Problem first = on_nodes(problem, few, as_long),
                  second = on_nodes(problem, more, as_long);
    if (!algorithm.unmet(first, parameters).empty() || !algorithm.unmet(second, parameters).empty())
      continue;
    const double ratio =
        static_cast<double>(problem.p - second.p) / static_cast<double>(second.p - first.p);
    const auto grown = [&](double at_first, double at_second) {
      return at_second + (at_second - at_first) * ratio;
    };
    const double claimed = algorithm.seconds(size, machine.rates);
    const double found = grown(algorithm.seconds(size_of(first, parameters), machine.rates),
                               algorithm.seconds(size_of(second, parameters), machine.rates));
    const double error = std::abs(found - claimed) / claimed;
    if (error >= least_error) continue;
    least_error = error;
    seconds = grown(by_sample(first, *first.topology, asked).seconds,
                    by_sample(second, *second.topology, asked).seconds);
  }
  return seconds;
}

Answer of_pieces_given(const Problem& problem, const Topology& topology, const Question& asked) {
  if (asked.size.care == Care::quick && !asked.size.is_whole)
    if (const auto seconds = by_fewer_nodes(problem, asked)) return {*seconds};
  return by_sample(problem, topology, asked);
}

/// Into how many pieces the data are cut, the parameter that says so, if one does, and how many
/// ranks hand them on.
struct Cut {
  std::size_t number = 1;
  std::string blocks;
  int p = 1;
};
Cut cut_of(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters) {
  for (const Parameter& parameter : algorithm.parameters) {
    const auto value = parameters.find(parameter.name);
    if (value == parameters.end()) continue;
    if (parameter.inner) {
      Cut inner = cut_of(parameter.inner->of(problem, parameters),
                         inner_algorithm(parameter.inner->collective, value->second),
                         inner_parameters(parameters));
      if (!inner.blocks.empty()) inner.blocks = std::string(parameter.name) + "." + inner.blocks;
      return inner;
    }
    if (parameter.pieces == nullptr) continue;
    if (parameter.kind == ParameterKind::blocks)
      return {value->second, std::string(parameter.name), problem.p};
    return {parameter.pieces(problem, value->second), {}, problem.p};
  }
  return {};
}

}  // namespace

Problem on_nodes(const Problem& problem, int nodes, bool as_long) {
  const Topology& topology = *problem.topology;
  const int root_node = topology.node_of(problem.root);
  std::vector<Rank> ranks;
  Problem part = problem;
  for (Rank r = 0; r < problem.p; ++r) {
    const int node = topology.node_of(r);
    if (node >= nodes - (root_node >= nodes) && node != root_node) continue;
    if (r == problem.root) part.root = static_cast<Rank>(ranks.size());
    ranks.push_back(r);
  }
  part.p = static_cast<int>(ranks.size());
  part.topology = std::make_shared<const Topology>(topology.of(ranks));
  if (as_long) return part;
  const double share = static_cast<double>(part.p) / problem.p;
  part.count = static_cast<std::size_t>(std::llround(
      static_cast<double>(problem.count) * (is_vector(problem.collective) ? share : 1 / share)));
  return part;
}

double estimate(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters,
                const Machine& given_machine, Care care) {
  Machine machine = given_machine;
  if (algorithm.is_pipelined()) machine.rates.post = 0;
  const Topology one_node =
      problem.topology ? Topology::one_node(1) : Topology::one_node(problem.p);
  const Topology& topology = problem.topology ? *problem.topology : one_node;
  // Kept while schedules ask for it.
  const auto parts =
      problem.topology ? parts_of(problem.topology, leaders_of(parameters)) : nullptr;
  const bool follows_links = machine.mesh_of(&topology).has_value();
  if (!follows_links) machine.mesh.reset();  // of fewer nodes, too
  if (follows_links) care = Care::thorough;
  if (problem.p > most_thorough) care = Care::quick;
  SampleSize size{.care = care, .is_whole = follows_links};
  // Once a pipeline is filled every piece more takes as long.
  const Cut cut = cut_of(problem, algorithm, parameters);
  const int behind = is_vector(problem.collective) ? topology.largest() : 2 * problem.p;
  // With less care partners are always there, and it is filled from the beginning. But little in
  // all may travel through a node in another way.
  constexpr int most_behind = 56;
  const std::size_t filled = 8 + (care == Care::quick ? std::min(behind, most_behind) : behind);
  // Circulant graphs do so in turns of ceil(lg p) rounds.
  const auto turn = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(cut.p - 1)));
  const std::size_t more = filled + (turn > 0 ? (7 + turn) / turn * turn : 8);
  if (cut.number <= more)
    return of_pieces_given(problem, topology, {algorithm, parameters, machine, size}).seconds;
  size.is_compared = true;
  const auto of_pieces = [&](std::size_t number, double& total) {
    const auto shorter = [&](std::size_t count) {
      return static_cast<std::size_t>(
          std::llround(static_cast<double>(count) * static_cast<double>(number) /
                       static_cast<double>(cut.number)));
    };
    Problem part = problem;
    part.count = shorter(problem.count);
    for (std::size_t& count : part.counts) count = shorter(count);
    Parameters given = parameters;
    if (!cut.blocks.empty()) given[cut.blocks] = number;
    total = static_cast<double>(part.total());
    return of_pieces_given(part, topology, {algorithm, given, machine, size});
  };
  double few = 0, many = 0;
  const auto [second, nodes] = of_pieces(more, many);
  if (nodes > 0) size.most_nodes = nodes;  // of more pieces fewer nodes may have been looked at
  const double first = of_pieces(filled, few).seconds;
  if (many <= few) return first;  // of so few elements that both are the same
  const double slope = std::max(0.0, second - first) / (many - few);
  return first + slope * (static_cast<double>(problem.total()) - few);
}

}  // namespace tutti::core
