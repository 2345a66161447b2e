// Leader broadcast: over the leaders of the nodes, then inside each node.
//
// The root is its node's leader. In a node the leader's vector is written once and read by all.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Slice vector{Buffer::output, 0, c.count};
  if (nodes.leads())
    inner(b, nodes.leaders,
          {.root = topology.node_of(c.root), .element_bytes = c.element_bytes, .count = c.count},
          {}, {vector});
  bcast_linear(b, nodes.node, nodes.leader, {vector});
}

}  // namespace

Rows bcast_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::bcast},
          .summary = "over the leaders of the nodes, then inside each node",
          .valid = any,
          .rounds = {"inner + 1", nullptr},
          .cost = {"inner + (s-1) (alpha_uni + n beta_uni), s ranks on the largest node", nullptr},
          .scratch = {"what the inner one needs", none},
          .source = smp_source,
          .generate = adapt::over_nodes<bcast_leader, Collective::bcast>,
      },
      {Collective::bcast, between_leaders});
}

}  // namespace tutti::core
