// Binomial reduce, binomial broadcast.
//
//   valid    any p, any operator
//   rounds   2q
//   cost     2q (alpha_uni + n beta_uni) + q n gamma
//   scratch  none
//   source   Mitra et al. 1995, 3.2.1; Thakur, Rabenseifner, Gropp 2005, 5

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_reduce_bcast(Builder& b, const Group& g, const Slice& vector) {
  reduce_binomial(b, g, 0, {vector});
  bcast_binomial(b, g, 0, {vector});
}

}  // namespace tutti::core
