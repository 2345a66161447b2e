// Full-lane reduction: a reduce-scatter inside each node, a reduction in each lane, a gather in the
// root's node.
//
// A lane is the ranks of one place of every node; all lanes work at once.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lanes.hpp"

namespace tutti::core {

namespace {

void reduce_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const bool is_root = c.rank == c.root;
  const int roots_node = topology.node_of(c.root);
  const Blocks given = split({c.source(), 0, c.count}, lanes.number);
  const Blocks results = split({Buffer::output, 0, c.count}, lanes.number);  // the root's
  Slice part{}, result{};
  if (lanes.carries()) {
    part = is_root ? results[lanes.mine] : b.scratch(given.count(lanes.mine));
    b.round();
    if (!c.in_place) b.copy(given[lanes.mine], part);
  }
  reduce_to_lanes(b, lanes, one_by_one(given), {part});
  if (lanes.carries()) {
    const bool gets = topology.node_of(c.rank) == roots_node;
    result = gets && !is_root ? b.scratch(part.count) : part;
    inner(b, lanes.lane,
          {.root = roots_node,
           .in_place = is_root,
           .commutative = c.commutative,
           .element_bytes = c.element_bytes,
           .count = part.count},
          {part}, {result});
    b.round();
    if (gets && !is_root) b.send(result, c.root);
  }
  b.round();
  for (int lane = 0; lane < lanes.number && is_root; ++lane)
    if (g.at(lane) != c.rank) b.recv(results[lane], g.at(lane));
}

}  // namespace

Rows reduce_full_lane_rows() {
  return over_nodes(
      {
          .collectives = {Collective::reduce},
          .summary = "a reduce-scatter inside each node, a reduction in each lane, a gather in the "
                     "root's node",
          .valid = ordered_nodes,
          .rounds = {"1 + inner + 1", nullptr},
          .cost =
              {"(s-1) (alpha + n/l (beta + gamma)) + inner of n/l + gather of n in a node, l lanes",
               nullptr},
          .scratch = {"n/l at most twice, and what the inner one needs",
                      [](const Problem& problem) { return 2 * in_lane(problem, {}).count; }},
          .source = lane_source,
          .generate = adapt::over_nodes<reduce_full_lane, Collective::reduce>,
      },
      {Collective::reduce, in_lane});
}

}  // namespace tutti::core
