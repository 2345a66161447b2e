// Linear gather: the root receives each block from its owner. Also gatherv.
//
//   valid    any p
//   rounds   1
//   cost     (p-1) alpha_uni + (p-1)/p n beta_uni
//   scratch  none
//   source   Thakur, Gropp 2002, 4.1

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void gather_linear(Builder& b, const Group& g, int root, const Blocks& blocks) {
  const int p = g.size();
  b.round();
  if (g.rank() != root) return b.send(blocks[g.rank()], g.at(root));
  for (int i = 1; i < p; ++i) b.recv(blocks[wrap(root + i, p)], g.at(wrap(root + i, p)));
}

}  // namespace tutti::core
