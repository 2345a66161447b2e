// Pairwise reduce-scatter, ring allgather (the paper's "ring").
//
//   valid    any p; commutative
//   rounds   2(p-1)
//   cost     2(p-1) alpha + (p-1)/p n (2 beta + gamma)
//   scratch  none
//   source   Thakur, Rabenseifner, Gropp 2005, 5.3

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_pairwise_ring(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_pairwise(b, g, segments, true);
  allgather_ring(b, g, segments);
}

}  // namespace tutti::core
