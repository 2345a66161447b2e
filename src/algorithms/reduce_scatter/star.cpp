// Star reduce-scatter: all send to rank 0, which combines in rank order and sends each its block.
//
//   valid    any p, any operator
//   rounds   2
//   cost     2(p-1) alpha_uni + ((p-1) + (p-1)/p) n beta_uni + (p-1) n gamma
//   scratch  at most n
//   source   baseline
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_scatter_star(Builder& b, const Group& g, const Blocks& mine) {
  reduce_linear(b, g, 0, mine.range(0, g.size()));
  scatter_linear(b, g, 0, mine);
}

}  // namespace tutti::core
