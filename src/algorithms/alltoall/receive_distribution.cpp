// All-to-all with receive-side distribution: an all-to-all in each lane first, then inside each
// node.
//
// A rank sends all it has for a node to the rank of its own place there, which hands it out.
// Unequal nodes: a lane also serves places beyond the lanes, whose data it gets first; blocks are
// padded to the largest.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_receive_distribution(Builder& b, const Call& c, const Topology& topology,
                                   const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const Blocks from = c.outgoing_in(c.source()), to = c.incoming_in(Buffer::output);

  // What lane x brings for one rank comes from all that it serves, in this order.
  const auto receive = [&](int lane) { b.recv(blocks_of(to, lanes.served(lane)), g.at(lane)); };
  b.round();
  if (!lanes.carries()) {
    b.send(from.range(0, c.p), g.at(lanes.mine));
    b.round();
    for (int lane = 0; lane < lanes.number; ++lane) receive(lane);
    return;
  }

  const std::vector<Rank> served = lanes.served(lanes.mine),
                          here = lanes.served(topology.node_of(c.rank), lanes.mine);
  std::vector<Blocks> outgoing;  // of the ranks of my node that my lane serves
  for (const Rank rank : here) {
    const bool own = rank == c.rank && !c.in_place;
    const Slice all = own ? Slice{Buffer::input, 0, 0} : b.scratch(c.p * c.count);
    outgoing.push_back(Blocks::equal(all, c.p, c.count));
    if (rank != c.rank)
      b.recv(all, rank);
    else if (c.in_place)
      b.copy(from.range(0, c.p), Slices{all});
  }
  // What my lane brings for each rank of my node, one after the other; mine goes where it belongs.
  std::vector<Slices> incoming;
  for (int i = 0; i < g.size(); ++i)
    if (g.at(i) == c.rank) {
      incoming.push_back(blocks_of(to, served));
    } else {
      const Blocks all = Blocks::equal(b.scratch(served.size() * c.count),
                                       static_cast<int>(served.size()), c.count);
      incoming.emplace_back();
      for (int k = 0; k < all.size(); ++k) incoming.back().push_back(all[k]);
    }

  const std::size_t block = topology.largest() * lanes.most_served() * c.count;
  Slices input, output;
  std::size_t source = 0;  // its place among the served
  for (int node = 0; node < topology.nodes(); ++node) {
    Slices out, in;
    for (const Blocks& each : outgoing)
      out = join(std::move(out), blocks_of(each, topology.ranks_of(node)));
    for (std::size_t i = 0; i < lanes.served(node, lanes.mine).size(); ++i, ++source)
      for (const Slices& each : incoming) in.push_back(each[source]);
    input = join(std::move(input), padded_source(out, block));
    output = join(std::move(output), padded_target(b, in, block));
  }
  inner(b, lanes.lane, {.element_bytes = c.element_bytes, .count = block}, input, output);
  b.round();
  for (int i = 1; i < g.size(); ++i) {  // scattered: not all to the first place at once
    const int to_place = wrap(g.rank() + i, g.size());
    b.send(incoming[to_place], g.at(to_place));
  }
  for (int lane = 0; lane < lanes.number; ++lane)
    if (lane != lanes.mine) receive(lane);
}

}  // namespace

Rows alltoall_receive_distribution_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::alltoall},
          .summary = "an all-to-all in each lane first, then inside each node",
          .valid = any,
          .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
          .cost = {"inner of n over the nodes + (s-1) (alpha + n/s beta), s ranks on each",
                   nullptr},
          .scratch = {"n, in place and for unequal nodes more; and what the inner one needs",
                      lane_alltoall_scratch},
          .source = "Kumar, Mamidala, Panda 2008, 5",
          .generate = adapt::over_nodes<alltoall_receive_distribution, Collective::alltoall>,
      },
      {Collective::alltoall, alltoall_in_lane});
}

}  // namespace tutti::core
