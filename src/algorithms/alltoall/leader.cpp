// Leader all-to-all: each node's data to its leader, an all-to-all of the leaders, and back.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Group& g = nodes.node;
  const std::size_t n = c.total();
  const Slice all_out{c.source(), 0, n}, all_in{Buffer::output, 0, n};
  b.round();
  if (!nodes.leads()) {
    b.send(all_out, g.at(nodes.leader));
    b.round();
    return b.recv(all_in, g.at(nodes.leader));
  }

  // What each rank of the node sends and gets, in the order of their places.
  std::vector<Blocks> from, to;
  for (int i = 0; i < g.size(); ++i) {
    const bool aside = i != nodes.leader || c.in_place;
    const Slice out = aside ? b.scratch(n) : all_out;
    const Slice in = i != nodes.leader ? b.scratch(n) : all_in;
    from.push_back(Blocks::equal(out, c.p, c.count));
    to.push_back(Blocks::equal(in, c.p, c.count));
    if (i != nodes.leader) b.recv(out, g.at(i));
    if (i == nodes.leader && c.in_place) b.copy(all_out, out);
  }
  const auto most = static_cast<std::size_t>(topology.largest());
  const std::size_t block = most * most * c.count;
  Slices input, output;
  for (int node = 0; node < topology.nodes(); ++node) {
    Slices out, in;
    for (const Blocks& each : from)
      out = join(std::move(out), blocks_of(each, topology.ranks_of(node)));
    for (const Rank source : topology.ranks_of(node))
      for (const Blocks& each : to) in.push_back(each[source]);
    input = join(std::move(input), padded_source(out, block));
    output = join(std::move(output), padded_target(b, in, block));
  }
  inner(b, nodes.leaders, {.element_bytes = c.element_bytes, .count = block}, input, output);
  b.round();
  for (int i = 0; i < g.size(); ++i)
    if (i != nodes.leader) b.send(to[i].range(0, c.p), g.at(i));
}

}  // namespace

Rows alltoall_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::alltoall},
          .summary = "each node's data to its leader, an all-to-all of the leaders, and back",
          .valid = any,
          .rounds = {"2 + inner", nullptr},
          .cost = {"2 (s-1) (alpha_uni + n beta_uni) + inner of s n, s ranks on the largest node",
                   nullptr},
          .scratch = {"2s n, and what the inner one needs; unequal nodes are padded to the largest",
                      [](const Problem& problem) {
                        const auto nodes = nodes_of(problem.topology, problem.p);
                        const std::size_t s = largest_node(problem);
                        const std::size_t parts = nodes->split_by_domain()->nodes();
                        return 2 * s * problem.total() +
                               (nodes->is_uniform() && !nodes->has_domains()
                                    ? 0
                                    : parts * s * s * problem.count);
                      }},
          .source = node_aware_source,
          .generate = adapt::over_nodes<alltoall_leader, Collective::alltoall>,
      },
      {Collective::alltoall, alltoall_between_leaders});
}

}  // namespace tutti::core
