// Recursive-doubling allgather. Also allgatherv.
//
// Before the step of distance d each tree of d ranks holds all its blocks on all its ranks. Where
// the last tree is short, the ranks opposite nobody get its blocks from those that had a partner:
// these pass them on to the other half of their tree, then of their half, and so on.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/doubling.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void allgather_recursive_doubling(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  for (int distance = 1; distance < p; distance *= 2) {
    const int mine = r & ~(distance - 1), theirs = mine ^ distance;  // first ranks of the trees
    const int my_end = std::min(mine + distance, p), their_end = std::min(theirs + distance, p);
    if (theirs >= p) continue;
    if ((r ^ distance) < p) {
      b.round();
      b.send(blocks.range(mine, my_end), g.at(r ^ distance));
      b.recv(blocks.range(theirs, their_end), g.at(r ^ distance));
    }
    pass_on(b, g, mine, distance, their_end - theirs, blocks.range(theirs, their_end));
  }
}

Rows allgather_recursive_doubling_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "exchange over doubling distances, with the logarithmic correction for other p",
      .valid = any,
      .rounds = {"q (2^k); at most 2q", doubling_rounds},
      .cost = {"q alpha + (p-1)/p n beta (2^k); else correction steps more",
               [](S s, R r) { return doubling_allgather_cost(s.p, s.n / s.p, r); }},
      .scratch = {"none", none},
      .source = "Thakur, Gropp 2002, 4.2; Thakur, Rabenseifner, Gropp 2005, 4.1.1",
      .generate = adapt::allgather<allgather_recursive_doubling>,
  }};
}

}  // namespace tutti::core
