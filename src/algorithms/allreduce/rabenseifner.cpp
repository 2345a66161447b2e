// Rabenseifner's allreduce: recursive vector halving and doubling.
//
//   valid    any p, any operator
//   rounds   2q (2^k); else 3 + 2 floor(lg p)
//   cost     2 lg p alpha + (p-1)/p n (2 beta + gamma) (2^k); else fold first, unfold last
//   scratch  none
//   source   Thakur, Rabenseifner, Gropp 2005, 5.1, Figure 12
//
// Reduce-scatter with distance doubling, allgather with distance halving. For other p each pair
// folds half vectors first, and the rank that was folded away gets the result at the end.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/pattern/fold.hpp"

namespace tutti::core {

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

}  // namespace tutti::core
