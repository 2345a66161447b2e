// Dissemination barrier.
//
//   valid    any p
//   rounds   q
//   cost     q alpha
//   scratch  none
//   source   Thakur, Rabenseifner, Gropp 2005, 4.1.2
//
// After round k rank r has heard, directly or not, from ranks r, r-1, ..., r-2^(k+1)+1 (mod p).

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void barrier_dissemination(Builder& b, const Group& g) {
  const int p = g.size(), r = g.rank();
  for (int distance = 1; distance < p; distance *= 2) {
    b.round();
    b.signal(g.at(wrap(r + distance, p)));
    b.await(g.at(wrap(r - distance, p)));
  }
}

}  // namespace tutti::core
