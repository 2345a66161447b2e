// Linear reduce-scatter: each sends each its block; all combine in rank order, in one round.
//
//   valid    any p, any operator
//   rounds   1
//   cost     (p-1) alpha + (p-1)/p n (beta + gamma)
//   scratch  none; in place one block
//   source   baseline
//
// The own operand stands in the middle: lower ranks join on its left from the nearest down, higher
// ranks on its right from the nearest up.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti {

void reduce_scatter_linear(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) b.send(mine[wrap(r + i, p)], g.at(wrap(r + i, p)));
  for (int i = r - 1; i >= 0; --i) b.recv_reduce(mine[r], g.at(i), Side::left);
  for (int i = r + 1; i < p; ++i) b.recv_reduce(mine[r], g.at(i), Side::right);
}

}  // namespace tutti
