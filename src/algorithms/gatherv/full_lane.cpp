// Full-lane gatherv: each lane gathers the blocks of the ranks it serves in the root's node, which
// puts them together, although only the root knows the counts.
//
// A lane is the ranks of one place of every node; all lanes work at once. The root tells the lanes
// in its node what comes; between the nodes nobody needs to be told. Unequal nodes: a lane also
// serves places beyond the lanes, whose counts and blocks it gets first. In the root's node they
// send them to the root.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lanes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gatherv_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group g = lanes.node, lane = lanes.lane;
  const int roots_node = topology.node_of(c.root);
  const bool at_root = topology.node_of(c.rank) == roots_node;
  const Slice own{Buffer::input, 0, c.count};
  if (c.rank == c.root) {
    const Blocks blocks = c.blocks_in(Buffer::output);
    send_counts_to_lanes(b, lanes, c.root, blocks);
    if (!c.in_place) b.copy(own, blocks[c.rank]);
    for (int i = lanes.number; i < g.size(); ++i)
      if (g.at(i) != c.rank) b.recv(blocks[g.at(i)], g.at(i));
    if (lanes.carries()) {
      const Slices carried = blocks_of(blocks, lanes.carried(lanes.mine, c.root));
      inner(b, lane, at_root_of_lane(c, lanes, carried), {}, carried);
    }
    b.round();
    for (int i = 0; i < lanes.number; ++i)
      if (g.at(i) != c.rank) b.recv(blocks_of(blocks, lanes.carried(i, c.root)), g.at(i));
    return;
  }

  b.round();
  const Rank carrier = g.at(lanes.mine);
  if (at_root && (!lanes.carries() || topology.nodes() == 1)) return b.send(own, c.root);
  if (!lanes.carries()) {
    const std::size_t counts[] = {c.count};
    b.send(b.constants(counts), carrier);
    b.round();
    return b.send(own, carrier);
  }
  if (at_root) {
    const Slice header = b.scratch(lanes.carried(lanes.mine, c.root).size() * bytes_per_count);
    b.recv(header, c.root);
    return b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
      const Lanes again(topology, c.rank);
      const Slices carried = carried_blocks(next, again, c, own, learned);
      inner(next, lane, at_root_of_lane(c, again, carried), {}, carried);
      next.round();
      next.send(carried, c.root);
    });
  }

  const Call between{.root = roots_node, .element_bytes = c.element_bytes, .count = c.count};
  const std::vector<Rank> here = lanes.served(topology.node_of(c.rank), lanes.mine);
  if (here.size() == 1) return inner(b, lane, between, {own}, {});
  b.learn(recv_counts_of_served(b, here), [=](Builder& next, std::span<const std::size_t> learned) {
    Slices blocks{own};
    next.round();
    for (std::size_t i = 1; i < here.size(); ++i) {
      blocks.push_back(next.scratch(learned[i - 1]));
      next.recv(blocks[i], here[i]);
    }
    Call call = between;
    call.count = count_of(blocks);
    inner(next, lane, call, blocks, {});
  });
}

}  // namespace

Rows gatherv_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::gatherv},
          .summary =
              "counts, then each lane gathers the blocks of those it serves, the root's node "
              "puts them together",
          .valid = any,
          .rounds = {"1 + inner + 1; unequal nodes: 2 + inner + 1", nullptr},
          .cost = {"(l-1) (2 alpha_uni + (n + 8p)/l beta_uni) + inner of n/l, l lanes", nullptr},
          .scratch = {"the lane's data and 8p bytes, and what the inner one needs",
                      lane_data_and_counts},
          .source = lane_source,
          .learns = true,
          .generate = adapt::over_nodes<gatherv_full_lane, Collective::gatherv>,
      },
      {Collective::gatherv, blocks_in_lane<Collective::gatherv>});
}

}  // namespace tutti::core
