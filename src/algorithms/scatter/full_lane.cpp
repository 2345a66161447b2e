// Full-lane scatter: the root's node shares the blocks out, each lane scatters those of the ranks
// it serves.
//
// A lane is the ranks of one place of every node; all lanes work at once. Unequal nodes: a lane
// also serves places beyond the lanes, who get their blocks in the end; blocks are padded to the
// most that a lane serves on a node. In the root's node they have them from the root.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatter_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const int mine = topology.node_of(c.rank), roots_node = topology.node_of(c.root);
  const bool is_root = c.rank == c.root, at_root = mine == roots_node;
  const Blocks blocks = c.blocks_in(Buffer::input);  // the root's
  const Slice own{Buffer::output, 0, c.count};
  b.round();
  if (is_root) {
    if (!c.in_place) b.copy(blocks[c.rank], own);
    for (int lane = 0; lane < lanes.number; ++lane)
      if (g.at(lane) != c.rank) b.send(blocks_of(blocks, lanes.carried(lane, c.root)), g.at(lane));
    for (int i = lanes.number; i < g.size(); ++i)
      if (g.at(i) != c.rank) b.send(blocks[g.at(i)], g.at(i));
  }
  if (!lanes.carries()) {
    if (!is_root) b.recv(own, at_root ? c.root : g.at(lanes.mine));
    return;
  }

  const std::size_t block = lanes.most_served() * c.count;
  const Call between{
      .root = roots_node, .in_place = at_root, .element_bytes = c.element_bytes, .count = block};
  if (at_root) {
    Slices got, input;
    for (int node = 0; node < topology.nodes(); ++node) {
      Slices there;
      for (const Rank rank : lanes.carried(node, lanes.mine, c.root))
        there.push_back(is_root ? blocks[rank] : rank == c.rank ? own : b.scratch(c.count));
      got = join(std::move(got), there);
      input = join(std::move(input), padded_source(there, block));
    }
    if (!is_root) b.recv(got, c.root);
    return inner(b, lanes.lane, between, input, {});
  }
  const std::vector<Rank> served = lanes.served(mine, lanes.mine);
  Slices here;
  for (const Rank rank : served) here.push_back(rank == c.rank ? own : b.scratch(c.count));
  inner(b, lanes.lane, between, {}, padded_target(b, here, block));
  b.round();
  for (std::size_t i = 0; i < served.size(); ++i)
    if (served[i] != c.rank) b.send(here[i], served[i]);
}

}  // namespace

Rows scatter_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::scatter},
          .summary = "the root's node shares out, each lane scatters the blocks of those it serves",
          .valid = any,
          .rounds = {"1 + inner; unequal nodes: 1 + inner + 1", nullptr},
          .cost = {"(l-1) (alpha_uni + n/l beta_uni) + inner of n/l, l lanes", nullptr},
          .scratch = {"n/l, for unequal nodes more; and what the inner one needs", lane_blocks},
          .source = lane_source,
          .generate = adapt::over_nodes<scatter_full_lane, Collective::scatter>,
      },
      {Collective::scatter, padded_in_lane});
}

}  // namespace tutti::core
