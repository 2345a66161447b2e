// Binomial reduce: the broadcast's tree backwards; ranges are contiguous, so the rank order is
// kept.
//
//   valid    any p, any operator
//   rounds   q
//   cost     q (alpha_uni + n beta_uni + n gamma)
//   scratch  at most n
//   source   Mitra et al. 1995, 3.1.1; Thakur, Rabenseifner, Gropp 2005, 4.5

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

void reduce_binomial(Builder& b, const Group& g, int root, const Slices& vector) {
  const std::vector<Halving> levels = halvings(g.size(), root, g.rank());
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (g.rank() == level->root)
      b.recv_reduce(vector, g.at(level->other),
                    level->other < level->root ? Side::left : Side::right);
    else
      b.send(vector, g.at(level->root));
  }
}

}  // namespace tutti::core
