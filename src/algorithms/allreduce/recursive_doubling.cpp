// Recursive-doubling allreduce.
//
//   valid    any p, any operator
//   rounds   q (2^k); else floor(lg p) + 2
//   cost     lg p (alpha + n beta + n gamma) (2^k); else two messages and one combination more
//   scratch  n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.5
//
// For other p the odd rank of each of the first pairs hands its vector to the even one, and gets
// the result at the end.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/fold.hpp"

namespace tutti::core {

void allreduce_recursive_doubling(Builder& b, const Group& g, const Slice& vector) {
  const Fold fold(g.size());
  const Group all = fold.survivors(g, true);
  const int r = g.rank(), x = all.rank();
  if (!all.has_me()) {
    b.round();
    b.send(vector, g.at(r - 1));
    b.round();
    return b.recv(vector, g.at(r - 1));
  }
  if (fold.pairs(r)) {
    b.round();
    b.recv_reduce(vector, g.at(r + 1), Side::right);
  }
  const Slice incoming = b.scratch(all.size() > 1 ? vector.count : 0);
  for (int distance = 1; distance < all.size(); distance *= 2) {
    const int partner = x ^ distance;
    b.round();
    b.send(vector, all.at(partner));
    b.recv(incoming, all.at(partner));
    b.round();
    b.reduce(incoming, vector, partner < x ? Side::left : Side::right);
  }
  if (fold.pairs(r)) {
    b.round();
    b.send(vector, g.at(r + 1));
  }
}

}  // namespace tutti::core
