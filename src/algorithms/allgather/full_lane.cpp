// Full-lane allgather: an allgather in each lane, then inside each node. Also allgatherv.
//
// A lane is the ranks of one place of every node; all lanes work at once. Unequal nodes: a lane
// also serves places beyond the lanes, whose blocks it gets first.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lanes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const int mine = topology.node_of(c.rank);
  const Blocks blocks = c.blocks_in(Buffer::output);
  const Slice own = c.in_place ? blocks[c.rank] : Slice{Buffer::input, 0, blocks.count(c.rank)};
  std::vector<Slices> parts;
  for (int lane = 0; lane < lanes.number; ++lane)
    parts.push_back(blocks_of(blocks, lanes.served(lane)));
  b.round();
  if (!lanes.carries()) {
    b.send(own, lanes.node.at(lanes.mine));
  } else {
    if (!c.in_place) b.copy(own, blocks[c.rank]);
    for (const Rank rank : lanes.served(mine, lanes.mine))
      if (rank != c.rank) b.recv(blocks[rank], rank);
    Call between{.in_place = true, .element_bytes = c.element_bytes};
    for (int node = 0; node < topology.nodes(); ++node)
      between.counts.push_back(count_of(blocks_of(blocks, lanes.served(node, lanes.mine))));
    between.count = between.counts[mine];
    inner(b, lanes.lane, between, {}, parts[lanes.mine]);
  }
  gather_from_lanes(b, lanes, parts);
}

}  // namespace

Rows allgather_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::allgather, Collective::allgatherv},
          .summary = "an allgather in each lane, then inside each node",
          .valid = any,
          .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
          .cost = {"inner of n/l over the nodes + (s-1) (alpha + n/l beta), l lanes", nullptr},
          .scratch = {"what the inner one needs", none},
          .source = lane_source,
          .generate = adapt::over_nodes<allgather_full_lane, Collective::allgatherv>,
      },
      {Collective::allgatherv, blocks_in_lane<Collective::allgatherv>});
}

}  // namespace tutti::core
