// Bucket distributed combine, then binomial gather.
//
//   valid    any p; commutative
//   rounds   q + p - 1
//   cost     (p-1) alpha + q alpha_uni + (p-1)/p n (beta + beta_uni + gamma) (root 0)
//   scratch  at most n
//   source   Mitra et al. 1995, 3.2.2

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_ring_gather(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_ring(b, g, segments);
  gather_binomial(b, g, root, segments);
}

}  // namespace tutti::core
