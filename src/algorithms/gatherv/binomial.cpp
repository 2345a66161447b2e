// Binomial gatherv, although only the root knows the counts.
//
// The counts of a subtree run up the tree ahead of its data. The root knows all counts: nobody
// sends it any.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gatherv_binomial(Builder& b, const Group& g, int root, const Blocks* at_root,
                      const Slice& mine) {
  const int p = g.size(), r = g.rank();
  if (r == root) return gather_binomial(b, g, root, *at_root);

  const std::vector<Halving> levels = halvings(p, root, r);
  const int end = subtree_end(p, root, r);
  const bool parent_is_root = levels.front().root == root;
  const std::size_t own[] = {mine.count};
  if (end - r == 1) {
    if (!parent_is_root) {
      b.round();
      b.send(b.constants(own), g.at(levels.front().root));
    }
    return gather_binomial(b, g, root, Blocks::of(mine, {}, r).with(r, mine));
  }

  Slice header = b.constants(own);
  header.count += b.scratch((end - r - 1) * bytes_per_count).count;
  const Blocks counts = Blocks::equal(header, end - r, bytes_per_count, r);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (r == level->root)
      b.recv(counts.range(level->from, level->to), g.at(level->other));
    else if (!parent_is_root)
      b.send(counts.range(level->from, level->to), g.at(level->root));
  }
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    const std::span<const std::size_t> below = learned.subspan(1);
    std::size_t total = 0;
    for (const std::size_t count : below) total += count;
    gather_binomial(next, g, root, Blocks::of(next.scratch(total), below, r + 1).with(r, mine));
  });
}

}  // namespace

Rows gatherv_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::gatherv},
      .summary = "minimum spanning tree although only the root knows the counts: they travel ahead",
      .valid = any,
      .rounds = {"at most 2q",
                 [](S s) { return rounds(gatherv_tree_cost(s.p, s.root, 1, count_messages)); }},
      .cost = {"at most 2q alpha_uni + ((p-1)/p n + 8 (p-1)) beta_uni (root 0)",
               [](S s, R r) { return gatherv_tree_cost(s.p, s.root, s.n / s.p, r); }},
      .scratch = {"less than n/2, and 8 bytes for each rank of the subtree",
                  [](const Problem& problem) {
                    return std::max(bytes_per_count, subtree(problem, bytes_per_count));
                  }},
      .source = "Thakur, Gropp 2002, 4.1.2 (their open question)",
      .learns = true,
      .generate = adapt::gatherv<gatherv_binomial>,
  }};
}

}  // namespace tutti::core
