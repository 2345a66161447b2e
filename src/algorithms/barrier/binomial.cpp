// Binomial barrier: combine to place 0, then broadcast, with empty messages.
//
//   valid    any p
//   rounds   2q
//   cost     2q alpha_uni
//   scratch  none
//   source   Mitra et al. 1995, 3.1.1

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

void barrier_binomial(Builder& b, const Group& g) {
  const int r = g.rank();
  const std::vector<Halving> levels = halvings(g.size(), 0, r);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (r == level->root)
      b.await(g.at(level->other));
    else
      b.signal(g.at(level->root));
  }
  for (const Halving& level : levels) {
    b.round();
    if (r == level.root)
      b.signal(g.at(level.other));
    else
      b.await(g.at(level.root));
  }
}

}  // namespace tutti::core
