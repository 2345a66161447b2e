// Linear reduce-scatter: each sends each its block, the next rank first, and all combine in one
// round.
//
// A commutative operator takes blocks in the order in which they are sent, as pairwise exchanges
// do: within a node nobody's message stands in the way of one that is wanted before it. Else the
// own operand stands in the middle: lower ranks join on its left from the nearest down, higher
// ranks on its right from the nearest up.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void reduce_scatter_linear(Builder& b, const Group& g, const Blocks& mine, bool commutative) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) b.send(mine[wrap(r + i, p)], g.at(wrap(r + i, p)));
  for (int i = r - 1; i >= 0; --i) b.recv_reduce(mine[r], g.at(i), Side::left);
  for (int i = 1; i < p - r; ++i)
    if (commutative)
      b.recv_reduce(mine[r], g.at(p - i), Side::left);
    else
      b.recv_reduce(mine[r], g.at(r + i), Side::right);
}

Rows reduce_scatter_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "each sends each its block, one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma)", combine_from_each},
      .scratch = {"none; in place one block",
                  [](const Problem& problem) {
                    return if_in_place(problem, largest_block(problem));
                  }},
      .source = "baseline",
      .generate = adapt::reduce_scatter_own<reduce_scatter_linear>,
  }};
}

}  // namespace tutti::core
