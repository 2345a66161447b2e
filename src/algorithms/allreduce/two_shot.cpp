// Two-shot allreduce: linear reduce-scatter, linear allgather.
//
//   valid    any p, any operator
//   rounds   2
//   cost     2(p-1) alpha + (p-1)/p n (2 beta + gamma)
//   scratch  none
//   source   baseline
//
// Moves and combines as little as any allreduce, and waits only twice: for ranks of one node. Where
// some ranks have no segment all is combined in rank order: one number as linear does, so that both
// give the same.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_two_shot(Builder& b, const Group& g, const Slice& vector, bool commutative) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_linear(b, g, segments,
                        commutative && vector.count >= static_cast<std::size_t>(g.size()));
  allgather_linear(b, g, segments);
}

}  // namespace tutti::core
