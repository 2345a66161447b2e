// Ring reduce-scatter (bucket distributed combine).
//
//   valid    any p; commutative
//   rounds   p - 1
//   cost     (p-1) alpha + (p-1)/p n (beta + gamma)
//   scratch  at most n
//   source   Mitra et al. 1995, 3.1.2
//
// Always the same two neighbours. The bucket of block j starts at rank j+1 and ends, full, at rank
// j.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void reduce_scatter_ring(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  for (int t = 1; t < p; ++t) {
    b.round();
    b.send(mine[wrap(r - t, p)], g.at(wrap(r + 1, p)));
    b.recv_reduce(mine[wrap(r - t - 1, p)], g.at(wrap(r - 1, p)), Side::left);
  }
}

}  // namespace tutti::core
