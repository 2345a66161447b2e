// Linear broadcast: the root sends to each.
//
//   valid    any p
//   rounds   1
//   cost     (p-1) (alpha_uni + n beta_uni)
//   scratch  none
//   source   baseline

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void bcast_linear(Builder& b, const Group& g, int root, const Slices& vector) {
  const int p = g.size();
  b.round();
  if (g.rank() != root) return b.recv(vector, g.at(root));
  for (int i = 1; i < p; ++i) b.send(vector, g.at(wrap(root + i, p)));
}

}  // namespace tutti::core
