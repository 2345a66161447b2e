// Leader barrier: nodes report to their leaders, the leaders meet, the nodes go on.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows barrier_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::barrier},
          .summary = "nodes report to their leaders, the leaders meet, the nodes go on",
          .valid = any,
          .rounds = {"2 + inner", nullptr},
          .cost = {"2 (s-1) alpha_uni + inner, s ranks on the largest node", nullptr},
          .scratch = {"what the inner one needs", none},
          .source = node_aware_source,
          .generate = adapt::over_nodes<barrier_leader, Collective::barrier>,
      },
      {Collective::barrier, between_leaders});
}

}  // namespace tutti::core
