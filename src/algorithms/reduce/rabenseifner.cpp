// Rabenseifner's reduce: vector-halving distance-doubling reduce-scatter, binomial gather.
//
// For other p the fold of section 5.1 comes first; if the root would be folded away, it changes
// roles with its partner.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/pattern/fold.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_rabenseifner(Builder& b, const Group& g, int root, const Slice& vector) {
  const Fold fold(g.size());
  const Group survivors = fold.survivors(g, true, root);
  const Blocks segments = split(vector, fold.kept);
  fold_halves(b, g, fold, survivors, segments);
  if (!survivors.has_me()) return;
  butterfly_reduce_scatter(b, survivors, segments);
  const int place = fold.pairs(root) ? root / 2 : root - fold.extra;
  butterfly_gather(b, survivors, segments, place);
}

}  // namespace

Rows reduce_rabenseifner_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary =
          "vector halving, distance doubling; binomial gather; folds half vectors for other p",
      .valid = any,
      .rounds = {"2q (2^k); else 2 + 2 floor(lg p)",
                 [](S s) { return exact_p(s) ? 2 * s.q() : 2 + 2 * floor_log2(s.p); }},
      .cost =
          {"lg p (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma) (2^k); else fold first",
           [](S s, R r) {
             const double part = (kept(s) - 1) / kept(s);
             const double fold =
                 exact_p(s) ? 0 : exchange(r, s.n / 2) + one_way(r, s.n / 2) + s.n / 2 * r.gamma;
             return fold + lg_kept(s) * (r.alpha + r.alpha_uni) +
                    part * s.n * (r.beta + r.beta_uni + r.gamma);
           }},
      .scratch = {"at most n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.5 and 5.1",
      .generate = adapt::reduce<reduce_rabenseifner>,
  }};
}

}  // namespace tutti::core
