// Binomial scatterv, although only the root knows the counts.
//
// The counts of a subtree run down the tree ahead of its data, so a rank knows how much is to come
// before it comes. A rank that speaks for nobody else knows its own count and needs no message for
// it.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatterv_binomial(Builder& b, const Group& g, int root, const Blocks* at_root,
                       const Slice& mine) {
  const int p = g.size(), r = g.rank();
  const int first = r == root ? 0 : r, end = r == root ? p : subtree_end(p, root, r);
  const bool speaks_for_others = end - first > 1;
  Slice header = b.scratch(0);
  if (r == root) {
    std::vector<std::size_t> known(p);
    for (int i = 0; i < p; ++i) known[i] = at_root->count(i);
    header = b.constants(known);
  } else if (speaks_for_others) {
    header = b.scratch((end - first) * bytes_per_count);
  }
  const Blocks counts = Blocks::equal(header, end - first, bytes_per_count, first);
  for (const Halving& level : halvings(p, root, r)) {
    if (level.to - level.from == 1) continue;
    b.round();
    if (r == level.root)
      b.send(counts.range(level.from, level.to), g.at(level.other));
    else
      b.recv(counts.range(level.from, level.to), g.at(level.root));
  }

  if (r == root) return scatter_binomial(b, g, root, *at_root);
  if (!speaks_for_others)
    return scatter_binomial(b, g, root, Blocks::of(mine, {}, r).with(r, mine));
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    const std::span<const std::size_t> below = learned.subspan(1);
    std::size_t total = 0;
    for (const std::size_t count : below) total += count;
    scatter_binomial(next, g, root, Blocks::of(next.scratch(total), below, r + 1).with(r, mine));
  });
}

}  // namespace

Rows scatterv_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::scatterv},
      .summary = "minimum spanning tree although only the root knows the counts: they travel ahead",
      .valid = any,
      .rounds = {"at most 2q",
                 [](S s) { return rounds(scatterv_tree_cost(s.p, s.root, 1, count_messages)); }},
      .cost = {"at most 2q alpha_uni + ((p-1)/p n + 8 (p-1)) beta_uni (root 0)",
               [](S s, R r) { return scatterv_tree_cost(s.p, s.root, s.n / s.p, r); }},
      .scratch = {"less than n/2, and 8 bytes for each rank below; at the root 8p bytes",
                  [](const Problem& problem) {
                    return std::max(bytes_per_count * static_cast<std::size_t>(problem.p),
                                    subtree(problem, bytes_per_count));
                  }},
      .source = "Thakur, Gropp 2002, 4.1.2 (their open question)",
      .learns = true,
      .generate = adapt::scatterv<scatterv_binomial>,
  }};
}

}  // namespace tutti::core
