// Recursive-halving reduce-scatter.
//
// Each step exchanges, over half the distance, what the other half needs. For other p the even rank
// of each of the first pairs hands its vector to the odd one, which works for both and hands the
// result back.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/fold.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_recursive_halving(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  const Fold fold(p);
  const Group halving = fold.survivors(g, false);
  if (fold.pairs(r)) {
    b.round();
    if (!halving.has_me()) {
      b.send(mine.range(0, p), g.at(r + 1));
      b.round();
      return b.recv(mine[r], g.at(r + 1));
    }
    b.recv_reduce(mine.range(0, p), g.at(r - 1), Side::left);
  }
  // The blocks that places [from, to) work for.
  const auto blocks_of = [&](int from, int to) {
    return mine.range(from + std::min(from, fold.extra), to + std::min(to, fold.extra));
  };
  const int x = halving.rank();
  for (int distance = fold.kept / 2; distance > 0; distance /= 2) {
    const int lo = x & ~(distance - 1), other = lo ^ distance;
    b.round();
    b.send(blocks_of(other, other + distance), halving.at(x ^ distance));
    b.recv_reduce(blocks_of(lo, lo + distance), halving.at(x ^ distance), Side::right);
  }
  if (fold.pairs(r)) {
    b.round();
    b.send(mine[r - 1], g.at(r - 1));
  }
}

}  // namespace

Rows reduce_scatter_recursive_halving_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "exchange what the other half needs over halving distances",
      .valid = commutative,
      .rounds = {"q (2^k); else floor(lg p) + 2",
                 [](S s) { return exact_p(s) ? s.q() : floor_log2(s.p) + 2; }},
      .cost = {"lg p alpha + (p-1)/p n (beta + gamma) (2^k); else fold first, unfold last",
               [](S s, R r) { return halving_reduce_scatter_cost(s.p, s.n / s.p, r); }},
      .scratch = {"at most n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.4, Figure 9",
      .generate = adapt::reduce_scatter<reduce_scatter_recursive_halving>,
  }};
}

}  // namespace tutti::core
