// Full-lane gather: each lane gathers the blocks of the ranks it serves in the root's node, which
// puts them together.
//
// A lane is the ranks of one place of every node; all lanes work at once. Unequal nodes: a lane
// also serves places beyond the lanes, whose blocks it gets first; blocks are padded to the most
// that a lane serves on a node. In the root's node they send them to the root.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gather_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const int mine = topology.node_of(c.rank), roots_node = topology.node_of(c.root);
  const bool is_root = c.rank == c.root, at_root = mine == roots_node;
  const Blocks blocks = c.blocks_in(Buffer::output);  // the root's
  const Slice own{Buffer::input, 0, c.count};
  b.round();
  if (is_root) {
    if (!c.in_place) b.copy(own, blocks[c.rank]);
    for (int i = lanes.number; i < g.size(); ++i)
      if (g.at(i) != c.rank) b.recv(blocks[g.at(i)], g.at(i));
  } else if (!lanes.carries()) {
    return b.send(own, at_root ? c.root : g.at(lanes.mine));
  }

  const std::size_t block = lanes.most_served() * c.count;
  const Call between{
      .root = roots_node, .in_place = at_root, .element_bytes = c.element_bytes, .count = block};
  if (!at_root) {
    Slices here;
    for (const Rank rank : lanes.served(mine, lanes.mine)) {
      here.push_back(rank == c.rank ? own : b.scratch(c.count));
      if (rank != c.rank) b.recv(here.back(), rank);
    }
    return inner(b, lanes.lane, between, padded_source(here, block), {});
  }
  Slices got, output;
  for (int node = 0; node < topology.nodes() && lanes.carries(); ++node) {
    Slices there;
    for (const Rank rank : lanes.carried(node, lanes.mine, c.root))
      there.push_back(is_root ? blocks[rank] : rank == c.rank ? own : b.scratch(c.count));
    got = join(std::move(got), there);
    // In place, what stands for this node is not written.
    output = join(std::move(output),
                  node == mine ? padded_source(there, block) : padded_target(b, there, block));
  }
  if (lanes.carries()) inner(b, lanes.lane, between, {}, output);
  b.round();
  if (!is_root) return b.send(got, c.root);
  for (int lane = 0; lane < lanes.number; ++lane)
    if (g.at(lane) != c.rank) b.recv(blocks_of(blocks, lanes.carried(lane, c.root)), g.at(lane));
}

}  // namespace

Rows gather_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::gather},
          .summary = "each lane gathers the blocks of those it serves, the root's node puts them "
                     "together",
          .valid = any,
          .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
          .cost = {"inner of n/l + (l-1) (alpha_uni + n/l beta_uni), l lanes", nullptr},
          .scratch = {"n/l, for unequal nodes more; and what the inner one needs", lane_blocks},
          .source = lane_source,
          .generate = adapt::over_nodes<gather_full_lane, Collective::gather>,
      },
      {Collective::gather, padded_in_lane});
}

}  // namespace tutti::core
