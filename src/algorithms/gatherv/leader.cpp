// Leader gatherv: each node's blocks to its leader, the leaders' to the root, although only the
// root knows the counts.
//
// The root is its node's leader. To the other leaders the counts of their nodes' ranks travel
// ahead; between the nodes nobody needs to be told.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gatherv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const Group& g = nodes.node;
  const Rank leader = g.at(nodes.leader);
  const Slice own{Buffer::input, 0, c.count};
  const std::size_t counts[] = {c.count};
  b.round();
  if (!nodes.leads()) {
    if (leader != c.root) {
      b.send(b.constants(counts), leader);
      b.round();
    }
    return b.send(own, leader);
  }

  Call between{.root = topology.node_of(c.root), .element_bytes = c.element_bytes};
  if (c.rank == c.root) {
    const Blocks blocks = c.blocks_in(Buffer::output);
    if (!c.in_place) b.copy(own, blocks[c.rank]);
    for (int i = 0; i < g.size(); ++i)
      if (i != nodes.leader) b.recv(blocks[g.at(i)], g.at(i));
    Slices output;
    for (int node = 0; node < topology.nodes(); ++node) {
      const Slices there = blocks_of(blocks, topology.ranks_of(node));
      between.counts.push_back(count_of(there));
      output = join(std::move(output), there);
    }
    between.in_place = true;
    between.count = between.counts[nodes.mine];
    return inner(b, nodes.leaders, between, {}, output);
  }

  if (g.size() == 1) {
    between.count = c.count;
    return inner(b, nodes.leaders, between, {own}, {});
  }
  // The other leaders are the first of their nodes.
  Slice header = b.constants(counts);
  header.count += b.scratch((g.size() - 1) * bytes_per_count).count;
  for (int i = 1; i < g.size(); ++i)
    b.recv(header.part(i * bytes_per_count, bytes_per_count), g.at(i));
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    Slices here{own};
    next.round();
    for (int i = 1; i < g.size(); ++i) {
      here.push_back(next.scratch(learned[i]));
      next.recv(here[i], g.at(i));
    }
    Call call = between;
    call.count = count_of(here);
    inner(next, nodes.leaders, call, here, {});
  });
}

}  // namespace

Rows gatherv_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::gatherv},
          .summary = "each node's counts, then its blocks to its leader, the leaders' to the root",
          .valid = any,
          .rounds = {"2 + inner", nullptr},
          .cost = {"(s-1) (2 alpha_uni + (n/p + 8) beta_uni) + inner, s ranks on the largest node",
                   nullptr},
          .scratch = {"the node's data and 8p bytes, and what the inner one needs",
                      node_data_and_counts},
          .source = smp_source,
          .learns = true,
          .generate = adapt::over_nodes<gatherv_leader, Collective::gatherv>,
      },
      {Collective::gatherv, blocks_between_leaders<Collective::gatherv>});
}

}  // namespace tutti::core
