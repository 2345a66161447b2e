// Recursive-doubling scan and exscan.
//
//   valid    any p, any operator
//   rounds   q
//   cost     q (alpha + n beta) + at most (2q-1) n gamma
//   scratch  2n
//   source   Thakur, Rabenseifner, Gropp 2005 (named)
//
// `partial` is the combination over the rank's tree; what comes from lower ranks also joins the
// result. A rank without a partner is in the last tree: nobody needs its partial result.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

namespace {

void scan_by_doubling(Builder& b, const Group& g, const Slice& contribution, const Slice& result,
                      bool inclusive) {
  const int p = g.size(), r = g.rank();
  if (p == 1) return;
  const Slice partial = b.scratch(result.count), incoming = b.scratch(result.count);
  bool has_result = inclusive;
  b.round();
  b.copy(contribution, partial);
  for (int distance = 1; distance < p; distance *= 2) {
    const int partner = r ^ distance;
    if (partner >= p) continue;
    b.round();
    b.send(partial, g.at(partner));
    b.recv(incoming, g.at(partner));
    b.round();
    if (partner < r) {
      if (has_result)
        b.reduce(incoming, result, Side::left);
      else
        b.copy(incoming, result);
      has_result = true;
    }
    if (2 * distance < p) b.reduce(incoming, partial, partner < r ? Side::left : Side::right);
  }
}

}  // namespace

void scan_recursive_doubling(Builder& b, const Group& g, const Slice& result) {
  scan_by_doubling(b, g, result, result, true);
}

void exscan_recursive_doubling(Builder& b, const Group& g, const Slice& contribution,
                               const Slice& result) {
  scan_by_doubling(b, g, contribution, result, false);
}

}  // namespace tutti::core
