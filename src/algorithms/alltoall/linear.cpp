// Linear all-to-all: everything at once, peers scattered. Also alltoallv and alltoallw.
//
//   valid    any p
//   rounds   1
//   cost     (p-1) alpha + (p-1)/p n beta
//   scratch  none; in place n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.3

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void alltoall_linear(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) {
    b.send(from[wrap(r + i, p)], g.at(wrap(r + i, p)));
    b.recv(to[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

}  // namespace tutti::core
