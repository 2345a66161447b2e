// Leader broadcast: over the leaders of the nodes, then inside each node.
//
//   valid    any p
//   rounds   inner + 1
//   cost     inner + (s-1) (alpha_uni + n beta_uni), s ranks on the largest node
//   scratch  what the inner one needs
//   source   Kumar, Mamidala, Panda 2008, 4 and 5 (their baseline)
//
// The root is its node's leader. In a node the leader's vector is written once and read by all.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

void bcast_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Slice vector{Buffer::output, 0, c.count};
  if (nodes.leads())
    inner(b, nodes.leaders,
          {.root = topology.node_of(c.root), .element_bytes = c.element_bytes, .count = c.count},
          {}, {vector});
  bcast_linear(b, nodes.node, nodes.leader, {vector});
}

}  // namespace tutti::core
