// Allgather by binomial gather and binomial broadcast.
//
//   valid    any p
//   rounds   2q
//   cost     2q alpha_uni + ((p-1)/p + q) n beta_uni
//   scratch  none
//   source   Mitra et al. 1995, 3.2.1

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allgather_gather_bcast(Builder& b, const Group& g, const Blocks& blocks) {
  gather_binomial(b, g, 0, blocks);
  bcast_binomial(b, g, 0, blocks.range(0, g.size()));
}

}  // namespace tutti::core
