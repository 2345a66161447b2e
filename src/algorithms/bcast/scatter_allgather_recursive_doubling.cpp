// Broadcast by binomial scatter and recursive-doubling allgather.
//
//   valid    any p
//   rounds   2q (2^k); at most 3q
//   cost     q (alpha_uni + alpha) + (p-1)/p n (beta_uni + beta) (2^k); else a bound
//   scratch  none
//   source   Thakur, Gropp 2002, 4.3

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void bcast_scatter_allgather_recursive_doubling(Builder& b, const Group& g, int root,
                                                const Slice& vector) {
  const Blocks blocks = split(vector, g.size());
  scatter_binomial(b, g, root, blocks);
  allgather_recursive_doubling(b, g, blocks);
}

}  // namespace tutti::core
