// Recursive-doubling reduce-scatter, for operators that do not commute.
//
// Before the step of distance d a rank has combined, over its tree of d ranks, its own block and
// all blocks of other trees; it sends all but those of its tree. Where the last tree is short, its
// data are passed on inside the full one as they came, as in the recursive-doubling allgather.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/doubling.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_recursive_doubling(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  std::vector<std::size_t> counts(p);
  for (int i = 0; i < p; ++i) counts[i] = mine.count(i);
  const Blocks came = Blocks::of(b.scratch(p > 1 ? mine.count(0, p) : 0), counts);
  const auto all_but = [&](const Blocks& blocks, int from, int to) {
    return join(blocks.range(0, from), blocks.range(to, p));
  };
  for (int distance = 1; distance < p; distance *= 2) {
    const int tree = r & ~(distance - 1), theirs = tree ^ distance;  // first ranks of the trees
    const int end = std::min(tree + distance, p), their_end = std::min(theirs + distance, p);
    if (theirs >= p) continue;
    if ((r ^ distance) < p) {
      b.round();
      b.send(all_but(mine, tree, end), g.at(r ^ distance));
      b.recv(all_but(came, theirs, their_end), g.at(r ^ distance));
    }
    pass_on(b, g, tree, distance, their_end - theirs, all_but(came, theirs, their_end));
    b.round();
    b.reduce(all_but(came, theirs, their_end), all_but(mine, theirs, their_end),
             theirs < tree ? Side::left : Side::right);
  }
}

}  // namespace

Rows reduce_scatter_recursive_doubling_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "exchange all but the own tree's blocks over doubling distances, rank order",
      .valid = any,
      .rounds = {"q (2^k); at most 2q", doubling_rounds},
      .cost = {"lg p alpha + n (lg p - (p-1)/p) (beta + gamma) (2^k); else correction steps more",
               [](S s, R r) { return doubling_reduce_scatter_cost(s.p, s.n / s.p, r); }},
      .scratch = {"at most 2n", [](const Problem& problem) { return 2 * vector(problem); }},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
      .generate = adapt::reduce_scatter<reduce_scatter_recursive_doubling>,
  }};
}

}  // namespace tutti::core
