#pragma once

#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

/// A run of segments [lo, hi).
struct SegmentRun {
  int lo, hi;
};

/// What place x works on after `steps` steps of recursive vector halving with distance doubling.
SegmentRun segments_after(int segments, int x, int steps);

/// Vector halving, distance doubling over a group of 2^k places: each ends with 1/2^k of the
/// vector, combined in the order of the group.
void butterfly_reduce_scatter(Builder& b, const Group& g, const Blocks& segments);

/// One exchange of vector doubling, distance halving: after it, place x holds segments_after(.., x,
/// step).
void butterfly_allgather_step(Builder& b, const Group& g, const Blocks& segments, int step);
/// All of them: the reduce-scatter's pattern backwards.
void butterfly_allgather(Builder& b, const Group& g, const Blocks& segments);

/// The same tree towards one place: binomial gather.
void butterfly_gather(Builder& b, const Group& g, const Blocks& segments, int root);

}  // namespace tutti::core
