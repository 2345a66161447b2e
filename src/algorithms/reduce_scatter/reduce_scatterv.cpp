// Reduce-scatter the old way: binomial reduce, linear scatterv.
//
//   valid    any p, any operator
//   rounds   q + 1
//   cost     (q + p-1) alpha_uni + (q + (p-1)/p) n beta_uni + q n gamma
//   scratch  at most n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.4

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_scatter_reduce_scatterv(Builder& b, const Group& g, const Blocks& mine) {
  reduce_binomial(b, g, 0, mine.range(0, g.size()));
  scatter_linear(b, g, 0, mine);
}

}  // namespace tutti::core
