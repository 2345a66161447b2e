// Recursive-doubling allreduce.
//
// For other p the odd rank of each of the first pairs hands its vector to the even one, and gets
// the result at the end.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/fold.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows allreduce_recursive_doubling_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary =
          "exchange whole vectors over doubling distances; other p: fold before, unfold after",
      .valid = any,
      .rounds = {"q (2^k); else floor(lg p) + 2",
                 [](S s) { return exact_p(s) ? s.q() : floor_log2(s.p) + 2; }},
      .cost = {"lg p (alpha + n beta + n gamma) (2^k); else two messages and one combination more",
               [](S s, R r) {
                 const double fold = exact_p(s) ? 0 : 2 * one_way(r, s.n) + s.n * r.gamma;
                 return fold + lg_kept(s) * (exchange(r, s.n) + s.n * r.gamma);
               }},
      .scratch = {"n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.5",
      .generate = adapt::allreduce<allreduce_recursive_doubling>,
  }};
}

}  // namespace tutti::core
