// Broadcast by binomial scatter and ring allgather.
//
//   valid    any p
//   rounds   q + p - 1
//   cost     q alpha_uni + (p-1) alpha + (p-1)/p n (beta_uni + beta) (root 0)
//   scratch  none
//   source   Thakur, Rabenseifner, Gropp 2005, 4.2; Mitra et al. 1995, 3.2.2

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void bcast_scatter_allgather_ring(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks blocks = split(vector, g.size());
  scatter_binomial(b, g, root, blocks);
  allgather_ring(b, g, blocks);
}

}  // namespace tutti::core
