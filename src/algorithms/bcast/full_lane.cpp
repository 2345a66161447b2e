// Full-lane broadcast: the root's node shares the vector out, each lane carries its part to all
// nodes, the nodes put it together.
//
// A lane is the ranks of one place of every node; all lanes work at once.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const Blocks parts = split({Buffer::output, 0, c.count}, lanes.number);
  const int roots_node = topology.node_of(c.root);
  const bool at_root = topology.node_of(c.rank) == roots_node;
  b.round();
  for (int lane = 0; lane < lanes.number && c.rank == c.root; ++lane)
    if (g.at(lane) != c.rank) b.send(parts[lane], g.at(lane));
  if (lanes.carries()) {
    if (at_root && c.rank != c.root) b.recv(parts[lanes.mine], c.root);
    inner(b, lanes.lane,
          {.root = roots_node, .element_bytes = c.element_bytes, .count = parts.count(lanes.mine)},
          {}, {parts[lanes.mine]});
  }
  b.round();
  for (int i = 0; i < g.size() && lanes.carries(); ++i)
    if (g.at(i) != c.rank && g.at(i) != c.root) b.send(parts[lanes.mine], g.at(i));
  for (int lane = 0; lane < lanes.number && c.rank != c.root; ++lane)
    if (g.at(lane) != c.rank) b.recv(parts[lane], g.at(lane));
}

}  // namespace

Rows bcast_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::bcast},
          .summary = "the root's node shares out, each lane broadcasts its part, the nodes "
                     "put it together",
          .valid = any,
          .rounds = {"1 + inner + 1", nullptr},
          .cost = {"(l-1) alpha_uni + n beta_uni + inner of n/l + (s-1) (alpha + n/l beta), "
                   "l lanes",
                   nullptr},
          .scratch = {"what the inner one needs", none},
          .source = lane_source,
          .generate = adapt::over_nodes<bcast_full_lane, Collective::bcast>,
      },
      {Collective::bcast, in_lane});
}

}  // namespace tutti::core
