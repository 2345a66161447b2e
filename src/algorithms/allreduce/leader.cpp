// Leader allreduce: inside each node to its leader, over the leaders, and back into the nodes.
//
//   valid    any p, any operator; not commutative: nodes of consecutive ranks
//   rounds   2 + inner
//   cost     (s-1) (2 alpha_uni + 2n beta_uni + n gamma) + inner, s ranks on the largest node
//   scratch  what the inner one needs
//   source   Kumar, Mamidala, Panda 2008, 4 and 5 (their baseline)
//
// A leader combines its node's vectors in rank order; the result is written once and read by all.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

void allreduce_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Slice contribution{c.source(), 0, c.count}, result{Buffer::output, 0, c.count};
  if (nodes.leads()) {
    b.round();
    if (!c.in_place) b.copy(contribution, result);
    reduce_linear(b, nodes.node, nodes.leader, {result});
    inner(b, nodes.leaders,
          {.in_place = true,
           .commutative = c.commutative,
           .element_bytes = c.element_bytes,
           .count = c.count},
          {}, {result});
  } else {
    reduce_linear(b, nodes.node, nodes.leader, {contribution});
  }
  bcast_linear(b, nodes.node, nodes.leader, {result});
}

}  // namespace tutti::core
