// Full-lane reduce-scatter: inside each node first, then a reduce-scatter in each lane.
//
// A lane is the ranks of one place of every node; all lanes work at once. Unequal nodes: a lane
// also serves places beyond the lanes, who get their blocks in the end.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lanes.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_full_lane(Builder& b, const Call& c, const Topology& topology,
                              const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Blocks given = c.blocks_in(c.source());
  const Slice result{Buffer::output, 0, given.count(c.rank)};
  std::vector<Slices> parts;
  for (int lane = 0; lane < lanes.number; ++lane)
    parts.push_back(blocks_of(given, lanes.served(lane)));
  if (!lanes.carries()) {
    reduce_to_lanes(b, lanes, parts, {});
    b.round();
    return b.recv(result, lanes.node.at(lanes.mine));
  }
  const Slices part{b.scratch(count_of(parts[lanes.mine]))};
  b.round();
  b.copy(parts[lanes.mine], part);
  reduce_to_lanes(b, lanes, parts, part);

  const std::vector<Rank> here = lanes.served(topology.node_of(c.rank), lanes.mine);
  Slices results;
  for (const Rank rank : here)
    results.push_back(rank == c.rank ? result : b.scratch(given.count(rank)));
  Call between{.commutative = c.commutative, .element_bytes = c.element_bytes};
  for (int node = 0; node < topology.nodes(); ++node)
    between.counts.push_back(count_of(blocks_of(given, lanes.served(node, lanes.mine))));
  between.count = count_of(results);
  inner(b, lanes.lane, between, part, results);
  b.round();
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] != c.rank) b.send(results[i], here[i]);
}

}  // namespace

Rows reduce_scatter_full_lane_rows() {
  return over_nodes(
      {
          .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
          .summary = "inside each node first, then a reduce-scatter in each lane",
          .valid = ordered_nodes,
          .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
          .cost = {"(s-1) (alpha + n/l (beta + gamma)) + inner of n/l over the nodes, l lanes",
                   nullptr},
          .scratch = {"n/l, for unequal nodes more; and what the inner one needs",
                      [](const Problem& problem) { return 2 * problem.total(); }},
          .source = lane_source,
          .generate = adapt::over_nodes<reduce_scatter_full_lane, Collective::reduce_scatter>,
      },
      {Collective::reduce_scatter, blocks_in_lane<Collective::reduce_scatter>});
}

}  // namespace tutti::core
