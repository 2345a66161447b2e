// Linear barrier: everyone tells everyone, in one round.
//
//   valid    any p
//   rounds   1
//   cost     (p-1) alpha
//   scratch  none
//   source   baseline
//
// Where ranks outnumber cores a round costs more than its messages.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void barrier_linear(Builder& b, const Group& g) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) b.signal(g.at(wrap(r + i, p)));
  for (int i = 1; i < p; ++i) b.await(g.at(wrap(r - i, p)));
}

}  // namespace tutti::core
