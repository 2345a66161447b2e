// Leader gather: each node's blocks to its leader, the leaders' to the root.
//
// The root is its node's leader.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gather_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Group& g = nodes.node;
  const bool is_root = c.rank == c.root;
  const Slice own{Buffer::input, 0, c.count};
  b.round();
  if (!nodes.leads()) return b.send(own, g.at(nodes.leader));

  const Blocks blocks = c.blocks_in(Buffer::output);  // the root's
  const std::size_t block = topology.largest() * c.count;
  Slices here, output;
  for (int i = 0; i < g.size(); ++i) {
    here.push_back(is_root ? blocks[g.at(i)] : i == nodes.leader ? own : b.scratch(c.count));
    if (i != nodes.leader) b.recv(here[i], g.at(i));
  }
  if (is_root && !c.in_place) b.copy(own, blocks[c.rank]);
  for (int node = 0; node < topology.nodes() && is_root; ++node)
    output = join(std::move(output),
                  padded_target(b, blocks_of(blocks, topology.ranks_of(node)), block));
  inner(b, nodes.leaders,
        {.root = topology.node_of(c.root),
         .in_place = is_root,
         .element_bytes = c.element_bytes,
         .count = block},
        is_root ? Slices{} : padded_source(here, block), output);
}

}  // namespace

Rows gather_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::gather},
          .summary = "each node's blocks to its leader, the leaders' to the root",
          .valid = any,
          .rounds = {"1 + inner", nullptr},
          .cost = {"(s-1) (alpha_uni + n/p beta_uni) + inner, s ranks on the largest node",
                   nullptr},
          .scratch = {"s n/p, and what the inner one needs; unequal nodes are padded to the "
                      "largest",
                      node_blocks},
          .source = smp_source,
          .generate = adapt::over_nodes<gather_leader, Collective::gather>,
      },
      {Collective::gather, padded_between_leaders});
}

}  // namespace tutti::core
