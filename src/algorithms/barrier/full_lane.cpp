// Full-lane barrier: inside each node first, then a barrier in each lane.
//
// A lane is the ranks of one place of every node; all lanes work at once. Who is in a lane enters
// its barrier after its whole node came, so that nobody needs to be told of the end. Unequal nodes:
// a lane also serves places beyond the lanes, whom it lets go in the end.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void barrier_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  b.round();
  for (int lane = 0; lane < lanes.number; ++lane)
    if (g.at(lane) != c.rank) b.signal(g.at(lane));
  if (!lanes.carries()) {
    b.round();
    return b.await(g.at(lanes.mine));
  }
  for (int i = 0; i < g.size(); ++i)
    if (g.at(i) != c.rank) b.await(g.at(i));
  inner(b, lanes.lane, {}, {}, {});
  b.round();
  for (const Rank rank : lanes.served(topology.node_of(c.rank), lanes.mine))
    if (rank != c.rank) b.signal(rank);
}

}  // namespace

Rows barrier_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::barrier},
          .summary = "inside each node first, then a barrier in each lane",
          .valid = any,
          .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
          .cost = {"(s-1) alpha + inner, s ranks on the largest node", nullptr},
          .scratch = {"what the inner one needs", none},
          .source = lane_source,
          .generate = adapt::over_nodes<barrier_full_lane, Collective::barrier>,
      },
      {Collective::barrier, between_leaders});
}

}  // namespace tutti::core
