#pragma once

#include <algorithm>

#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

/// The logarithmic correction of recursive doubling for other p (2005 paper, 4.1.1). `tree` is the
/// first place of a full tree of `size` places, of which only the first `holders` had a partner and
/// hold `data`: these pass it on to the other half of the tree, then of their half, and so on.
inline void pass_on(Builder& b, const Group& g, int tree, int size, int holders,
                    const Slices& data) {
  for (int half = size / 2; half > 0 && holders < 2 * half; half /= 2) {
    const int x = g.rank() - tree;
    if (x < half && x < holders && x + half >= holders) {
      b.round();
      b.send(data, g.at(g.rank() + half));
    } else if (x >= half && x - half < holders && x >= holders) {
      b.round();
      b.recv(data, g.at(g.rank() - half));
    }
    if (x >= half) tree += half;
    holders = std::min(holders, half);
  }
}

}  // namespace tutti::core
