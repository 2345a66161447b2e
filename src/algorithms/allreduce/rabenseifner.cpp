// Rabenseifner's allreduce: recursive vector halving and doubling.
//
// Reduce-scatter with distance doubling, allgather with distance halving. For other p each pair
// folds half vectors first, and the rank that was folded away gets the result at the end.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/pattern/fold.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_rabenseifner(Builder& b, const Group& g, const Slice& vector) {
  const Fold fold(g.size());
  const Group survivors = fold.survivors(g, true);
  const Blocks segments = split(vector, fold.kept);
  fold_halves(b, g, fold, survivors, segments);
  if (survivors.has_me()) {
    butterfly_reduce_scatter(b, survivors, segments);
    butterfly_allgather(b, survivors, segments);
  }
  if (!fold.pairs(g.rank())) return;
  const Rank partner = g.at(g.rank() ^ 1);
  b.round();
  if (survivors.has_me())
    b.send(vector, partner);
  else
    b.recv(vector, partner);
}

}  // namespace

Rows allreduce_rabenseifner_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "recursive vector halving and doubling; folds half vectors for other p",
      .valid = any,
      .rounds = {"2q (2^k); else 3 + 2 floor(lg p)",
                 [](S s) { return exact_p(s) ? 2 * s.q() : 3 + 2 * floor_log2(s.p); }},
      .cost = {"2 lg p alpha + (p-1)/p n (2 beta + gamma) (2^k); else fold first, unfold last",
               [](S s, R r) {
                 const double part = (kept(s) - 1) / kept(s);
                 const double fold = exact_p(s) ? 0
                                                : exchange(r, s.n / 2) + one_way(r, s.n / 2) +
                                                      s.n / 2 * r.gamma + one_way(r, s.n);
                 return fold + 2 * lg_kept(s) * r.alpha + part * s.n * (2 * r.beta + r.gamma);
               }},
      .scratch = {"none", none},
      .source = "Thakur, Rabenseifner, Gropp 2005, 5.1, Figure 12",
      .generate = adapt::allreduce<allreduce_rabenseifner>,
  }};
}

}  // namespace tutti::core
