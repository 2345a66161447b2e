// Leader barrier: nodes report to their leaders, the leaders meet, the nodes go on.
//
//   valid    any p
//   rounds   2 + inner
//   cost     2 (s-1) alpha_uni + inner, s ranks on the largest node
//   scratch  what the inner one needs
//   source   Kumar, Mamidala, Panda 2008, 5 (their baseline)

#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

void barrier_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  b.round();
  if (!nodes.leads()) {
    b.signal(g.at(nodes.leader));
    b.round();
    return b.await(g.at(nodes.leader));
  }
  for (int i = 1; i < g.size(); ++i) b.await(g.at(i));
  inner(b, nodes.leaders, {}, {}, {});
  b.round();
  for (int i = 1; i < g.size(); ++i) b.signal(g.at(i));
}

}  // namespace tutti::core
