// Star allreduce: all send to rank 0, which combines in rank order and sends each the result.
//
//   valid    any p, any operator
//   rounds   2
//   cost     (p-1) (2 alpha_uni + 2 n beta_uni + n gamma)
//   scratch  none
//   source   baseline
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.
// It computes the same expression as linear.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allreduce_star(Builder& b, const Group& g, const Slice& vector) {
  reduce_linear(b, g, 0, {vector});
  bcast_linear(b, g, 0, {vector});
}

}  // namespace tutti::core
