// Leader allgather: each node's blocks to its leader, over the leaders, and all into the nodes.
// Also allgatherv.
//
// The leaders' blocks are those of their nodes, wherever the ranks' own stand.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  const Blocks blocks = c.blocks_in(Buffer::output);
  const Slice own = c.in_place ? blocks[c.rank] : Slice{Buffer::input, 0, blocks.count(c.rank)};
  b.round();
  if (!nodes.leads()) {
    b.send(own, g.at(nodes.leader));
  } else {
    if (!c.in_place) b.copy(own, blocks[c.rank]);
    for (int i = 1; i < g.size(); ++i) b.recv(blocks[g.at(i)], g.at(i));
    Call between{.in_place = true, .element_bytes = c.element_bytes};
    for (int i = 0; i < topology.nodes(); ++i)
      between.counts.push_back(count_of(blocks_of(blocks, topology.ranks_of(i))));
    between.count = between.counts[nodes.mine];
    inner(b, nodes.leaders, between, {}, blocks_of(blocks, topology.node_order()));
  }
  bcast_linear(b, g, nodes.leader, blocks.range(0, c.p));
}

}  // namespace

Rows allgather_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::allgather, Collective::allgatherv},
          .summary = "each node's blocks to its leader, over the leaders, and all into the nodes",
          .valid = any,
          .rounds = {"2 + inner", nullptr},
          .cost =
              {"(s-1) (2 alpha_uni + (1/p + 1) n beta_uni) + inner, s ranks on the largest node",
               nullptr},
          .scratch = {"what the inner one needs", none},
          .source = smp_source,
          .generate = adapt::over_nodes<allgather_leader, Collective::allgatherv>,
      },
      {Collective::allgatherv, blocks_between_leaders<Collective::allgatherv>});
}

}  // namespace tutti::core
