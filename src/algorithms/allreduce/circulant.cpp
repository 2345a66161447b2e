// Circulant reduce-scatter, circulant allgather.
//
//   valid    any p; commutative
//   rounds   2q
//   cost     2q alpha + (p-1)/p n (2 beta + gamma)
//   scratch  none
//   source   Träff 2024

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_circulant(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_circulant(b, g, segments);
  allgather_circulant(b, g, segments);
}

}  // namespace tutti::core
