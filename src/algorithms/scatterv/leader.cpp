// Leader scatterv: each node's blocks to its leader, who hands them out, although only the root
// knows the counts.
//
// The root is its node's leader. To the other leaders the counts of their nodes' ranks travel
// ahead; who speaks for nobody else knows its own.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatterv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Group& g = nodes.node;
  const Slice own{Buffer::output, 0, c.count};
  b.round();
  if (!nodes.leads()) return b.recv(own, g.at(nodes.leader));

  Call between{
      .root = topology.node_of(c.root), .element_bytes = c.element_bytes, .count = c.count};
  if (c.rank == c.root) {
    const Blocks blocks = c.blocks_in(Buffer::input);
    Slices input;
    for (int node = 0; node < topology.nodes(); ++node) {
      const Slices there = blocks_of(blocks, topology.ranks_of(node));
      between.counts.push_back(count_of(there));
      input = join(std::move(input), there);
      if (node == nodes.mine || topology.size_of(node) == 1) continue;
      std::vector<std::size_t> counts;
      for (const Rank rank : topology.ranks_of(node)) counts.push_back(blocks.count(rank));
      b.send(b.constants(counts), nodes.leaders.at(node));
    }
    if (!c.in_place) b.copy(blocks[c.rank], own);
    between.in_place = true;
    between.count = between.counts[nodes.mine];
    inner(b, nodes.leaders, between, input, {});
    b.round();
    for (int i = 0; i < g.size(); ++i)
      if (i != nodes.leader) b.send(blocks[g.at(i)], g.at(i));
    return;
  }

  if (g.size() == 1) return inner(b, nodes.leaders, between, {}, {own});
  // The other leaders are the first of their nodes.
  const Slice header = b.scratch(g.size() * bytes_per_count);
  b.recv(header, c.root);
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    Slices here{own};
    for (int i = 1; i < g.size(); ++i) here.push_back(next.scratch(learned[i]));
    Call call = between;
    call.count = count_of(here);
    inner(next, nodes.leaders, call, {}, here);
    next.round();
    for (int i = 1; i < g.size(); ++i) next.send(here[i], g.at(i));
  });
}

}  // namespace

Rows scatterv_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::scatterv},
          .summary = "counts, then each node's blocks to its leader, who hands them out",
          .valid = any,
          .rounds = {"1 + inner + 1", nullptr},
          .cost = {"inner + (N+s-2) alpha_uni + (8p + (s-1) n/p) beta_uni, N nodes of s ranks",
                   nullptr},
          .scratch = {"the node's data and 8p bytes, and what the inner one needs",
                      node_data_and_counts},
          .source = smp_source,
          .learns = true,
          .generate = adapt::over_nodes<scatterv_leader, Collective::scatterv>,
      },
      {Collective::scatterv, blocks_between_leaders<Collective::scatterv>});
}

}  // namespace tutti::core
