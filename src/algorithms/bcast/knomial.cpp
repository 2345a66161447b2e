// K-nomial broadcast: a tree by range splitting.
//
//   valid    any p
//   rounds   ceil(log p), to the base radix
//   cost     at most (radix-1) rounds (alpha_uni + n beta_uni)
//   scratch  none
//   source   baseline
//
// The root stays in its part; the first ranks of the other parts become the roots there.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti::core {

void bcast_knomial(Builder& b, const Group& g, int root, const Slice& vector, int radix) {
  for (const Splitting& level : splittings(g.size(), root, radix, g.rank())) {
    b.round();
    if (g.rank() != level.root) {
      b.recv(vector, g.at(level.root));
      continue;
    }
    for (const PlaceRange& part : level.others) b.send(vector, g.at(part.from));
  }
}

}  // namespace tutti::core
