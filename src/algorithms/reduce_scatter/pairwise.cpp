// Pairwise reduce-scatter: step i sends to r+i what it needs and combines what comes from r-i.
//
//   valid    any p, any operator
//   rounds   p - 1
//   cost     (p-1) alpha + (p-1)/p n (beta + gamma); not commutative: n/p gamma more
//   scratch  none; one block if not commutative, one more in place
//   source   Thakur, Rabenseifner, Gropp 2005, 4.4
//
// Operands come from r-1 down to 0, then from p-1 down to r+1. If the operator does not commute the
// second run gathers apart and joins on the right at the end.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void reduce_scatter_pairwise(Builder& b, const Group& g, const Blocks& mine, bool commutative) {
  const int p = g.size(), r = g.rank();
  const bool apart = !commutative && r < p - 1;
  const Slice higher = b.scratch(apart ? mine.count(r) : 0);
  for (int i = 1; i < p; ++i) {
    const int to = wrap(r + i, p), from = wrap(r - i, p);
    b.round();
    b.send(mine[to], g.at(to));
    if (!apart || from < r)
      b.recv_reduce(mine[r], g.at(from), Side::left);
    else if (from == p - 1)
      b.recv(higher, g.at(from));
    else
      b.recv_reduce(higher, g.at(from), Side::left);
  }
  b.round();
  if (apart) b.reduce(higher, mine[r], Side::right);
}

}  // namespace tutti::core
