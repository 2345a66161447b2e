#pragma once

#include "algorithms/pattern/nodes.hpp"
#include "schedule/builder.hpp"

namespace tutti {

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

}  // namespace tutti
