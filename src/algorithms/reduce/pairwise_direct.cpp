// Pairwise reduce-scatter, then each sends its segment straight to the root (the paper's "ring").
//
//   valid    any p; commutative
//   rounds   p
//   cost     (p-1) (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma)
//   scratch  at most n
//   source   Thakur, Rabenseifner, Gropp 2005, 5.3

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_pairwise_direct(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_pairwise(b, g, segments, true);
  gather_linear(b, g, root, segments);
}

}  // namespace tutti::core
