// Leader all-to-all of unequal blocks: each node's data to its leader, an all-to-all of the
// leaders, and back. Also alltoallw.
//
// The counts of a node's ranks travel ahead to the leader, who then knows all that comes and goes;
// between the nodes nobody needs to be told.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

/// What one rank of the node sends and gets.
struct Member {
  Blocks from, to;
};

/// The leader's rounds, when it knows the counts of its node's ranks: p out and p in for each.
void exchange_for_node(Builder& b, const Call& c, const Topology& topology, const Inner& inner,
                       std::span<const std::size_t> counts) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  const auto p = static_cast<std::size_t>(c.p);
  const auto block_in = [&](const Blocks& sizes) { return b.scratch(sizes.count(0, c.p)); };
  std::vector<Member> members;
  b.round();
  for (int i = 0; i < g.size(); ++i) {
    const auto out = counts.subspan(2 * p * i, p), in = counts.subspan(2 * p * i + p, p);
    if (i == nodes.leader && !c.in_place) {
      members.push_back({c.outgoing_in(Buffer::input), c.incoming_in(Buffer::output)});
      continue;
    }
    const Slice from = block_in(Blocks::of({}, out));
    const bool own = i == nodes.leader;
    const Slice to = own ? Slice{Buffer::output, 0, 0} : block_in(Blocks::of({}, in));
    members.push_back({Blocks::of(from, out), Blocks::of(to, in)});
    if (own)
      b.copy(c.outgoing_in(Buffer::output).range(0, c.p), Slices{from});
    else
      b.recv(from, g.at(i));
  }
  Call between{.element_bytes = c.element_bytes};
  Slices input, output;
  for (int node = 0; node < topology.nodes(); ++node) {
    Slices out, in;
    for (const Member& member : members)
      out = join(std::move(out), blocks_of(member.from, topology.ranks_of(node)));
    for (const Rank source : topology.ranks_of(node))
      for (const Member& member : members) in.push_back(member.to[source]);
    between.send_counts.push_back(count_of(out));
    between.recv_counts.push_back(count_of(in));
    input = join(std::move(input), out);
    output = join(std::move(output), in);
  }
  inner(b, nodes.leaders, between, input, output);
  b.round();
  for (int i = 0; i < g.size(); ++i)
    if (i != nodes.leader) b.send(members[i].to.range(0, c.p), g.at(i));
}

void alltoallv_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  std::vector<std::size_t> own;
  for (const Blocks& blocks : {c.outgoing_in(c.source()), c.incoming_in(Buffer::output)})
    for (Rank i = 0; i < c.p; ++i) own.push_back(blocks.count(i));
  b.round();
  if (!nodes.leads()) {
    const Rank leader = g.at(nodes.leader);
    b.send(b.constants(own), leader);
    b.round();
    b.send(c.outgoing_in(c.source()).range(0, c.p), leader);
    b.round();
    return b.recv(c.incoming_in(Buffer::output).range(0, c.p), leader);
  }
  // The leader is the first: its own counts stand before those that come.
  if (g.size() == 1) return exchange_for_node(b, c, topology, inner, own);
  Slice header = b.constants(own);
  const std::size_t each = header.count;
  header.count += b.scratch((g.size() - 1) * each).count;
  for (int i = 1; i < g.size(); ++i) b.recv(header.part(i * each, each), g.at(i));
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    exchange_for_node(next, c, topology, inner, learned);
  });
}

}  // namespace

Rows alltoallv_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::alltoallv, Collective::alltoallw},
          .summary =
              "each node's counts, then its data to its leader, an all-to-all of the leaders, "
              "and back",
          .valid = any,
          .rounds = {"3 + inner", nullptr},
          .cost = {"(s-1) (3 alpha_uni + (2n + 16p) beta_uni) + inner of s n, s ranks on a node",
                   nullptr},
          .scratch = {"the node's data twice and 16 s p bytes, and what the inner one needs",
                      [](const Problem& problem) {
                        const auto nodes = nodes_of(problem.topology, problem.p);
                        std::vector<std::size_t> data(nodes->nodes());
                        for (Rank r = 0; r < problem.p; ++r)
                          for (Rank i = 0; i < problem.p; ++i)
                            data[nodes->node_of(r)] += problem.block(r, i) + problem.block(i, r);
                        return *std::max_element(data.begin(), data.end()) +
                               2 * bytes_per_count * nodes->largest() * problem.p;
                      }},
          .source = node_aware_source,
          .learns = true,
          .generate = adapt::over_nodes<alltoallv_leader, Collective::alltoallv>,
      },
      {Collective::alltoallv, alltoallv_between_leaders});
}

}  // namespace tutti::core
