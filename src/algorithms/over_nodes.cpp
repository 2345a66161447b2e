// What the rows of compositions over nodes have in common.

#include "algorithms/over_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

using Shared = std::shared_ptr<const Topology>;

Shared nodes_of(const Problem& problem) { return nodes_of(problem.topology, problem.p); }
/// The nodes, or the parts of them for which a leader speaks.
Shared parts_of(const Problem& problem, const Parameters& parameters) {
  return parts_of(nodes_of(problem), leaders_of(parameters));
}
/// Ranks of a node that the first lane serves, on the node where they are most.
std::size_t most_served(const Topology& nodes) {
  return static_cast<std::size_t>((nodes.largest() + nodes.smallest() - 1) / nodes.smallest());
}

// Whose blocks a node's leader, or its rank in the first lane, speaks for.
constexpr auto all_ranks = [](const Topology&, Rank) { return true; };
constexpr auto first_lane = [](const Topology& nodes, Rank rank) {
  return nodes.place_of(rank) % nodes.smallest() == 0;
};

/// A block holds those of a node, of the ranks that count.
template <class Counts>
Problem blocks_of_nodes(Collective irregular, const Problem& problem, const Parameters& parameters,
                        Counts counts) {
  const Shared nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = irregular;
  result.count = 0;
  result.counts.resize(nodes->nodes());
  for (Rank r = 0; r < problem.p; ++r)
    if (counts(*nodes, r)) result.counts[nodes->node_of(r)] += problem.block(r);
  return result;
}

/// From each node to each, to the ranks that count.
template <class Counts>
Problem alltoallv_of_nodes(const Problem& problem, const Parameters& parameters, Counts counts) {
  const Shared nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = Collective::alltoallv;
  result.in_place.clear();
  if (problem.counts.empty() && nodes->is_uniform()) {
    std::size_t each = 0;
    for (const Rank r : nodes->ranks_of(0)) each += counts(*nodes, r);
    result.count = each * nodes->largest() * problem.count;
    return result;
  }
  result.count = 0;
  const auto p = static_cast<std::size_t>(nodes->nodes());
  result.counts.resize(p * p);
  for (Rank i = 0; i < problem.p; ++i)
    for (Rank j = 0; j < problem.p; ++j)
      if (counts(*nodes, j))
        result.counts[nodes->node_of(i) * p + nodes->node_of(j)] += problem.block(i, j);
  return result;
}

Parameter inner_parameter(InnerProblem problem) {
  return {.kind = ParameterKind::inner,
          .meaning = "the algorithm between the nodes, by name",
          .least = 0,
          .default_text = "the fastest by the model",
          .inner = problem};
}
constexpr std::string_view domains_word = "domains";

std::size_t parse_leaders(std::string_view text) {
  if (text == domains_word) return Leaders::of_domains;
  const std::size_t number = parse_bytes(text);
  if (number == 0)
    throw std::invalid_argument(fmt::format("0 leaders: write 2 or {}", domains_word));
  return number;
}
std::string format_leaders(std::size_t number) {
  return number == Leaders::of_domains ? std::string(domains_word) : fmt::format("{}", number);
}

constexpr Parameter leaders_parameter{
    .kind = ParameterKind::leaders,
    .meaning = "leaders of each node, at most its ranks; `domains`: one for each of its domains",
    .least = 0,
    .default_text = "2",
    .default_value = [](const Problem&, const Rates&, const Parameters&) -> std::size_t {
      return 2;
    },
    .parse = parse_leaders,
    .format = format_leaders};

/// Which leaders of domains share a node.
Shared nodes_of_leaders(const Topology& nodes, const Topology& domains) {
  std::vector<Rank> leaders;
  for (int domain = 0; domain < domains.nodes(); ++domain)
    leaders.push_back(domains.ranks_of(domain)[0]);
  return std::make_shared<const Topology>(nodes.of(leaders));
}

}  // namespace

Rows over_nodes(Row row, InnerProblem inner) {
  row.exact = Exact::topology;
  row.node_aware = true;
  row.parameters.push_back(inner_parameter(inner));
  return {row};
}

Rows over_leaders(const Row& row, InnerProblem inner) {
  Row several = row;
  several.name = "multi_leader";
  several.summary = "as leader, with several leaders for each node, or one for each domain";
  several.parameters = {leaders_parameter};
  return {over_nodes(row, inner).front(), over_nodes(several, inner).front()};
}

Problem between_leaders(const Problem& problem, const Parameters& parameters) {
  const Shared nodes = parts_of(problem, parameters);
  Problem result{.collective = problem.collective,
                 .p = nodes->nodes(),
                 .root = nodes->node_of(problem.root),
                 .count = problem.count,
                 .commutative = problem.commutative,
                 .element_bytes = problem.element_bytes};
  if (allows_in_place(problem.collective) && !has_root(problem.collective))
    result.in_place.assign(nodes->nodes(), true);
  if (leaders_of(parameters).number == Leaders::of_domains)
    result.topology = nodes_of_leaders(*nodes_of(problem), *nodes);
  return result;
}

Problem blocks_between_leaders(Collective irregular, const Problem& problem,
                               const Parameters& parameters) {
  return blocks_of_nodes(irregular, problem, parameters, all_ranks);
}

Problem padded_between_leaders(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  result.count *= static_cast<std::size_t>(parts_of(problem, parameters)->largest());
  return result;
}

Problem alltoall_between_leaders(const Problem& problem, const Parameters& parameters) {
  const auto most = static_cast<std::size_t>(parts_of(problem, parameters)->largest());
  Problem result = between_leaders(problem, parameters);
  result.count *= most * most;
  result.in_place.clear();
  return result;
}

Problem alltoallv_between_leaders(const Problem& problem, const Parameters& parameters) {
  return alltoallv_of_nodes(problem, parameters, all_ranks);
}

Problem exscan_between_leaders(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  result.collective = Collective::exscan;
  result.in_place.clear();
  return result;
}

Problem in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  const auto lanes = static_cast<std::size_t>(parts_of(problem, parameters)->smallest());
  result.count = (problem.count + lanes - 1) / lanes;
  return result;
}

Problem blocks_in_lane(Collective irregular, const Problem& problem, const Parameters& parameters) {
  return blocks_of_nodes(irregular, problem, parameters, first_lane);
}

Problem padded_in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  result.count *= most_served(*parts_of(problem, parameters));
  return result;
}

Problem alltoall_in_lane(const Problem& problem, const Parameters& parameters) {
  const Shared nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.count *= static_cast<std::size_t>(nodes->largest()) * most_served(*nodes);
  result.in_place.clear();
  return result;
}

Problem alltoallv_in_lane(const Problem& problem, const Parameters& parameters) {
  return alltoallv_of_nodes(problem, parameters, first_lane);
}

Problem exscan_in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = in_lane(problem, parameters);
  result.collective = Collective::exscan;
  result.in_place.clear();
  return result;
}

std::size_t largest_node(const Problem& problem) {
  return static_cast<std::size_t>(nodes_of(problem)->largest());
}

std::size_t node_blocks(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  if (nodes->is_uniform() && !nodes->has_domains()) return largest_node(problem) * problem.count;
  // The root holds those of all parts, each padded to the largest.
  const Shared domains = nodes->split_by_domain();
  const auto padded = [&](const Topology& parts) {
    return parts.is_uniform() ? std::size_t{0}
                              : static_cast<std::size_t>(parts.nodes()) * parts.largest();
  };
  return problem.count * std::max({largest_node(problem), padded(*domains),
                                   nodes->is_uniform() ? 0 : largest_node(problem) * problem.p});
}

std::size_t node_data_and_counts(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  std::vector<std::size_t> data(nodes->nodes());
  for (Rank r = 0; r < problem.p; ++r) data[nodes->node_of(r)] += problem.block(r);
  return *std::max_element(data.begin(), data.end()) + bytes_per_count * problem.p;
}

std::size_t lane_blocks(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  return nodes->nodes() * most_served(*nodes) * problem.count;
}

std::size_t lane_data_and_counts(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  std::vector<std::size_t> data(nodes->smallest());
  for (Rank r = 0; r < problem.p; ++r)
    data[nodes->place_of(r) % nodes->smallest()] += problem.block(r);
  return *std::max_element(data.begin(), data.end()) + bytes_per_count * problem.p;
}

std::size_t lane_alltoall_scratch(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  const auto s = static_cast<std::size_t>(nodes->largest()), most = most_served(*nodes);
  const std::size_t lane = nodes->nodes() * s * most * problem.count, n = problem.total();
  return lane + (most - 1) * n + terms::vector_in_place(problem) + (nodes->is_uniform() ? 0 : lane);
}

std::size_t learned_aggregation_scratch(const Problem& problem) {
  const Shared nodes = nodes_of(problem);
  const auto number = static_cast<std::size_t>(nodes->smallest());
  std::vector<std::size_t> data(nodes->nodes() * number);
  for (Rank i = 0; i < problem.p; ++i)
    for (Rank j = 0; j < problem.p; ++j) {
      const std::size_t lane = nodes->place_of(j) % number, block = problem.block(i, j);
      data[nodes->node_of(i) * number + lane] += block;
      data[nodes->node_of(j) * number + lane] += block;
    }
  const auto s = static_cast<std::size_t>(nodes->largest()), most = most_served(*nodes);
  const std::size_t counts = s * most * nodes->nodes() + (most + 1) * problem.p;
  return *std::max_element(data.begin(), data.end()) + bytes_per_count * counts;
}

}  // namespace tutti::core
