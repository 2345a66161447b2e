// Linear reduce: all send to the root, which combines in rank order, in one round.
//
//   valid    any p, any operator
//   rounds   1
//   cost     (p-1) (alpha_uni + n beta_uni + n gamma)
//   scratch  at most n
//   source   baseline
//
// The root's own operand stands in the middle: lower ranks join on its left from the nearest down,
// higher ranks on its right from the nearest up.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_linear(Builder& b, const Group& g, int root, const Slices& vector) {
  b.round();
  if (g.rank() != root) return b.send(vector, g.at(root));
  for (int i = root - 1; i >= 0; --i) b.recv_reduce(vector, g.at(i), Side::left);
  for (int i = root + 1; i < g.size(); ++i) b.recv_reduce(vector, g.at(i), Side::right);
}

}  // namespace tutti::core
