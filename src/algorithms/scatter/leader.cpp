// Leader scatter: each node's blocks to its leader, who hands them out.
//
// The root is its node's leader.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatter_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Group& g = nodes.node;
  const bool is_root = c.rank == c.root;
  const Slice own{Buffer::output, 0, c.count};
  b.round();
  if (!nodes.leads()) return b.recv(own, g.at(nodes.leader));

  const Blocks blocks = c.blocks_in(Buffer::input);  // the root's
  const std::size_t block = topology.largest() * c.count;
  Slices input, here;
  for (int i = 0; i < g.size(); ++i)
    here.push_back(is_root ? blocks[g.at(i)] : i == nodes.leader ? own : b.scratch(c.count));
  for (int node = 0; node < topology.nodes() && is_root; ++node)
    input =
        join(std::move(input), padded_source(blocks_of(blocks, topology.ranks_of(node)), block));
  if (is_root && !c.in_place) b.copy(blocks[c.rank], own);
  inner(b, nodes.leaders,
        {.root = topology.node_of(c.root),
         .in_place = is_root,
         .element_bytes = c.element_bytes,
         .count = block},
        input, is_root ? Slices{} : padded_target(b, here, block));
  b.round();
  for (int i = 0; i < g.size(); ++i)
    if (i != nodes.leader) b.send(here[i], g.at(i));
}

}  // namespace

Rows scatter_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::scatter},
          .summary = "each node's blocks to its leader, who hands them out",
          .valid = any,
          .rounds = {"inner + 1", nullptr},
          .cost = {"inner + (s-1) (alpha_uni + n/p beta_uni), s ranks on the largest node",
                   nullptr},
          .scratch = {"s n/p, and what the inner one needs; unequal nodes are padded to the "
                      "largest",
                      node_blocks},
          .source = smp_source,
          .generate = adapt::over_nodes<scatter_leader, Collective::scatter>,
      },
      {Collective::scatter, padded_between_leaders});
}

}  // namespace tutti::core
