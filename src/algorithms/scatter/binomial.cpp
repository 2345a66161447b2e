// Binomial scatter: a minimum spanning tree; each message holds what the other half needs.
//
//   valid    any p
//   rounds   q
//   cost     q alpha_uni + (p-1)/p n beta_uni (root 0)
//   scratch  less than n/2
//   source   Thakur, Gropp 2002, 4.1; Mitra et al. 1995, 3.1.1

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

void scatter_binomial(Builder& b, const Group& g, int root, const Blocks& blocks) {
  for (const Halving& level : halvings(g.size(), root, g.rank())) {
    b.round();
    if (g.rank() == level.root)
      b.send(blocks.range(level.from, level.to), g.at(level.other));
    else
      b.recv(blocks.range(level.from, level.to), g.at(level.root));
  }
}

}  // namespace tutti::core
