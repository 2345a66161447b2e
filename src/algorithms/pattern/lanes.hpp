#pragma once

#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "schedule/builder.hpp"
#include "schedule/problem.hpp"

namespace tutti::core {

/// One round inside a node: every rank sends each lane its part of `contribution`; a rank in a lane
/// combines its own, which stands in `result`, with what comes, in rank order.
inline void reduce_to_lanes(Builder& b, const Lanes& lanes, const std::vector<Slices>& contribution,
                            const Slices& result) {
  const Group& g = lanes.node;
  const int place = g.rank();
  b.round();
  for (int lane = 0; lane < lanes.number; ++lane)
    if (lane != place) b.send(contribution[lane], g.at(lane));
  if (!lanes.carries()) return;
  for (int i = place - 1; i >= 0; --i) b.recv_reduce(result, g.at(i), Side::left);
  for (int i = place + 1; i < g.size(); ++i) b.recv_reduce(result, g.at(i), Side::right);
}

/// One round inside a node: every rank in a lane sends its part to all others.
inline void gather_from_lanes(Builder& b, const Lanes& lanes, const std::vector<Slices>& parts) {
  const Group& g = lanes.node;
  b.round();
  for (int i = 0; i < g.size() && lanes.carries(); ++i)
    if (i != g.rank()) b.send(parts[lanes.mine], g.at(i));
  for (int lane = 0; lane < lanes.number; ++lane)
    if (lane != g.rank()) b.recv(parts[lane], g.at(lane));
}

/// Each block as a list of slices.
inline std::vector<Slices> one_by_one(const Blocks& blocks) {
  std::vector<Slices> result;
  for (int i = 0; i < blocks.size(); ++i) result.push_back({blocks[i]});
  return result;
}

/// With a root, where only it knows the counts: one round in which it tells the lanes in its node
/// those of the blocks that they carry.
inline void send_counts_to_lanes(Builder& b, const Lanes& lanes, Rank root, const Blocks& blocks) {
  b.round();
  for (int lane = 0; lane < lanes.number && lanes.topology.nodes() > 1; ++lane) {
    if (lanes.node.at(lane) == root) continue;
    std::vector<std::size_t> counts;
    for (const Rank rank : lanes.carried(lane, root)) counts.push_back(blocks.count(rank));
    b.send(b.constants(counts), lanes.node.at(lane));
  }
}

/// The counts of those that a lane serves in a node, but for the first, who receives them.
inline Slice recv_counts_of_served(Builder& b, const std::vector<Rank>& served) {
  const Slice header = b.scratch((served.size() - 1) * bytes_per_count);
  for (std::size_t i = 1; i < served.size(); ++i)
    b.recv(header.part((i - 1) * bytes_per_count, bytes_per_count), served[i]);
  return header;
}

/// The blocks that a lane's rank in the root's node carries, when it has been told their sizes; its
/// own is at `own`.
inline Slices carried_blocks(Builder& b, const Lanes& lanes, const Call& c, const Slice& own,
                             std::span<const std::size_t> counts) {
  const std::vector<Rank> ranks = lanes.carried(lanes.mine, c.root);
  Slices result;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    result.push_back(ranks[i] == c.rank ? own : b.scratch(counts[i]));
  return result;
}

/// The inner call, in place, of a lane's rank in the root's node; `carried` are the blocks that the
/// lane carries.
inline Call at_root_of_lane(const Call& c, const Lanes& lanes, const Slices& carried) {
  Call result{
      .root = lanes.topology.node_of(c.root), .in_place = true, .element_bytes = c.element_bytes};
  auto block = carried.begin();
  for (int node = 0; node < lanes.topology.nodes(); ++node) {
    result.counts.push_back(0);
    for (std::size_t i = lanes.carried(node, lanes.mine, c.root).size(); i > 0; --i)
      result.counts.back() += (block++)->count;
  }
  result.count = result.counts[result.root];
  return result;
}

}  // namespace tutti::core
