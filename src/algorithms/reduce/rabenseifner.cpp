// Rabenseifner's reduce: vector-halving distance-doubling reduce-scatter, binomial gather.
//
//   valid    any p, any operator
//   rounds   2q (2^k); else 2 + 2 floor(lg p)
//   cost     lg p (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma) (2^k); else fold first
//   scratch  at most n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.5 and 5.1
//
// For other p the fold of section 5.1 comes first; if the root would be folded away, it changes
// roles with its partner.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/pattern/fold.hpp"

namespace tutti::core {

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

}  // namespace tutti::core
