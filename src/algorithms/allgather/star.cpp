// Star allgather: rank 0 receives each block from its owner and sends each all of them. Also
// allgatherv.
//
//   valid    any p
//   rounds   2
//   cost     2(p-1) alpha_uni + ((p-1)/p + p-1) n beta_uni
//   scratch  none
//   source   baseline
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void allgather_star(Builder& b, const Group& g, const Blocks& blocks) {
  gather_linear(b, g, 0, blocks);
  bcast_linear(b, g, 0, blocks.range(0, g.size()));
}

}  // namespace tutti::core
