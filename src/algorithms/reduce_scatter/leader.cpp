// Leader reduce-scatter: inside each node to its leader, a reduce-scatter of the leaders, each
// hands its node's blocks out.
//
//   valid    any p, any operator; not commutative: nodes of consecutive ranks
//   rounds   2 + inner
//   cost     (s-1) (2 alpha_uni + (1 + 1/p) n beta_uni + n gamma) + inner, s ranks on a node
//   scratch  n and the blocks of a node, and what the inner one needs
//   source   Kumar, Mamidala, Panda 2008, 4 and 5 (their baseline)
//
// A leader combines its node's vectors in rank order.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

void reduce_scatter_leader(Builder& b, const Call& c, const Topology& topology,
                           const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  const std::size_t n = c.total();
  const Slice contribution{c.source(), 0, n};
  const Slice result{Buffer::output, 0, c.blocks_in(Buffer::output).count(c.rank)};
  if (!nodes.leads()) {
    reduce_linear(b, g, nodes.leader, {contribution});
    b.round();
    return b.recv(result, g.at(nodes.leader));
  }
  const Slice sum = b.scratch(n);
  b.round();
  b.copy(contribution, sum);
  reduce_linear(b, g, nodes.leader, {sum});

  const Blocks blocks =
      c.counts.empty() ? Blocks::equal(sum, c.p, c.count) : Blocks::of(sum, c.counts);
  Slices results;
  for (int i = 0; i < g.size(); ++i)
    results.push_back(i == nodes.leader ? result : b.scratch(blocks.count(g.at(i))));
  Call between{.commutative = c.commutative, .element_bytes = c.element_bytes};
  for (int i = 0; i < topology.nodes(); ++i)
    between.counts.push_back(count_of(blocks_of(blocks, topology.ranks_of(i))));
  between.count = between.counts[nodes.mine];
  inner(b, nodes.leaders, between, blocks_of(blocks, topology.node_order()), results);
  b.round();
  for (int i = 0; i < g.size(); ++i)
    if (i != nodes.leader) b.send(results[i], g.at(i));
}

}  // namespace tutti::core
