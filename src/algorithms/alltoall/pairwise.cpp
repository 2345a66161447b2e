// Pairwise all-to-all: step i sends to r+i and receives from r-i. Also alltoallv and alltoallw.
//
//   valid    any p
//   rounds   p - 1
//   cost     (p-1) alpha + (p-1)/p n beta
//   scratch  none; in place n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void alltoall_pairwise(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  const int p = g.size(), r = g.rank();
  for (int i = 1; i < p; ++i) {
    b.round();
    b.send(from[wrap(r + i, p)], g.at(wrap(r + i, p)));
    b.recv(to[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

}  // namespace tutti::core
