// Pairwise reduce-scatter: step i sends to r+i what it needs and combines what comes from r-i.
//
// Operands come from r-1 down to 0, then from p-1 down to r+1. If the operator does not commute the
// second run gathers apart and joins on the right at the end.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

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

Rows reduce_scatter_pairwise_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "step i: to r+i, from r-i, only what the peer needs",
      .valid = any,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma); not commutative: n/p gamma more",
               [](S s, R r) {
                 const double joined = s.commutative || s.p < 3 ? 0 : 1;
                 return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma) +
                        joined * s.n / s.p * r.gamma;
               }},
      .scratch = {"none; one block if not commutative, one more in place",
                  [](const Problem& problem) {
                    const std::size_t most = largest_block(problem);
                    return (problem.commutative || problem.p == 1 ? 0 : most) +
                           if_in_place(problem, most);
                  }},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
      .generate = adapt::reduce_scatter_own<reduce_scatter_pairwise>,
  }};
}

}  // namespace tutti::core
