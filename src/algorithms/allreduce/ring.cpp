// Ring allreduce: bucket distributed combine, bucket collect.
//
//   valid    any p; commutative
//   rounds   2(p-1)
//   cost     2(p-1) alpha + (p-1)/p n (2 beta + gamma)
//   scratch  none
//   source   Mitra et al. 1995, 3.2.2
//
// Always the same two neighbours.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_ring(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_ring(b, g, segments);
  allgather_ring(b, g, segments);
}

}  // namespace tutti::core
