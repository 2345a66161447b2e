// Binomial broadcast: a minimum spanning tree by range halving.
//
//   valid    any p
//   rounds   q
//   cost     q (alpha_uni + n beta_uni)
//   scratch  none
//   source   Thakur, Gropp 2002, 4.3; Mitra et al. 1995, 3.1.1
//
// The root stays in its half; the first rank of the other half becomes the root there.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

void bcast_binomial(Builder& b, const Group& g, int root, const Slices& vector) {
  for (const Halving& level : halvings(g.size(), root, g.rank())) {
    b.round();
    if (g.rank() == level.root)
      b.send(vector, g.at(level.other));
    else
      b.recv(vector, g.at(level.root));
  }
}

}  // namespace tutti::core
