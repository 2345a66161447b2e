// All-to-all with send-side aggregation: inside each node first, then an all-to-all in each lane.
//
// Step 1: each rank sends all that has to go to place x of any node to place x of its own. Step 2:
// the ranks of the same place exchange what their nodes' ranks have for each other's. Unequal
// nodes: a lane also serves places beyond the lanes, who get their data in a third step; blocks are
// padded to the largest.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_send_aggregation(Builder& b, const Call& c, const Topology& topology,
                               const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const Blocks from = c.outgoing_in(c.source()), to = c.incoming_in(Buffer::output);
  const int carrier = g.at(lanes.mine), me = topology.node_of(c.rank);

  b.round();
  for (int i = 1; i <= lanes.number; ++i) {  // scattered: not all to the first place at once
    const int lane = wrap(g.rank() + i, lanes.number);
    if (g.at(lane) != c.rank) b.send(blocks_of(from, lanes.served(lane)), g.at(lane));
  }
  if (!lanes.carries()) {
    b.round();
    return b.recv(to.range(0, c.p), carrier);
  }

  // What the ranks of my node have for those my lane serves, in the order of their places.
  const std::vector<Rank> served = lanes.served(lanes.mine), here = lanes.served(me, lanes.mine);
  std::vector<Blocks> aggregated;
  std::vector<int> place(c.p);  // of a rank among the served
  for (std::size_t i = 0; i < served.size(); ++i) place[served[i]] = static_cast<int>(i);
  const auto number = static_cast<int>(served.size());
  for (int i = 0; i < g.size(); ++i) {
    const Slice all = b.scratch(served.size() * c.count);
    aggregated.push_back(Blocks::equal(all, number, c.count));
    if (g.at(i) == c.rank)
      b.copy(blocks_of(from, served), Slices{all});
    else
      b.recv(all, g.at(i));
  }
  std::vector<Blocks> results;  // of the ranks of my node that my lane serves
  for (const Rank rank : here)
    results.push_back(rank == c.rank ? to : Blocks::equal(b.scratch(c.p * c.count), c.p, c.count));

  const std::size_t block = topology.largest() * lanes.most_served() * c.count;
  Slices input, output;
  for (int node = 0; node < topology.nodes(); ++node) {
    Slices out, in;
    for (const Blocks& each : aggregated)
      for (const Rank rank : lanes.served(node, lanes.mine)) out.push_back(each[place[rank]]);
    for (const Rank source : topology.ranks_of(node))
      for (const Blocks& each : results) in.push_back(each[source]);
    input = join(std::move(input), padded_source(out, block));
    output = join(std::move(output), padded_target(b, in, block));
  }
  inner(b, lanes.lane, {.element_bytes = c.element_bytes, .count = block}, input, output);
  b.round();
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] != c.rank) b.send(results[i].range(0, c.p), here[i]);
}

}  // namespace

Rows alltoall_send_aggregation_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::alltoall},
          .summary = "inside each node first, then an all-to-all in each lane",
          .valid = any,
          .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
          .cost = {"(s-1) (alpha + n/s beta) + inner of n over the nodes, s ranks on each",
                   nullptr},
          .scratch = {"n, in place and for unequal nodes more; and what the inner one needs",
                      lane_alltoall_scratch},
          .source = "Kumar, Mamidala, Panda 2008, 5, steps 1 and 2",
          .generate = adapt::over_nodes<alltoall_send_aggregation, Collective::alltoall>,
      },
      {Collective::alltoall, alltoall_in_lane});
}

}  // namespace tutti::core
