// Leader reduce-scatter: inside each node to its leader, a reduce-scatter of the leaders, each
// hands its node's blocks out.
//
// A leader combines its node's vectors in rank order.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows reduce_scatter_leader_rows() {
  return over_leaders(
      {
          .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
          .summary = "inside each node to its leader, over the leaders, each hands its blocks out",
          .valid = ordered_nodes,
          .rounds = {"2 + inner", nullptr},
          .cost =
              {"(s-1) (2 alpha_uni + (1 + 1/p) n beta_uni + n gamma) + inner, s ranks on a node",
               nullptr},
          .scratch = {"n and the blocks of a node, and what the inner one needs",
                      [](const Problem& problem) { return 2 * problem.total(); }},
          .source = smp_source,
          .generate = adapt::over_nodes<reduce_scatter_leader, Collective::reduce_scatter>,
      },
      {Collective::reduce_scatter, blocks_between_leaders<Collective::reduce_scatter>});
}

}  // namespace tutti::core
