// K-nomial reduce: the broadcast's tree backwards; ranges are contiguous, so the rank order is
// kept.
//
// A root's own operand stands in the middle: lower parts join on its left from the nearest down,
// higher parts on its right from the nearest up.

#include <algorithm>
#include <ranges>

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_knomial(Builder& b, const Group& g, int root, const Slice& vector, Radix radix) {
  const std::vector<Splitting> levels = splittings(g.size(), root, radix, g.rank());
  for (const Splitting& level : std::views::reverse(levels)) {
    b.round();
    if (g.rank() != level.root) {
      b.send(vector, g.at(level.root));
      continue;
    }
    for (const PlaceRange& part : std::views::reverse(level.others))
      if (part.from < level.root) b.recv_reduce(vector, g.at(part.from), Side::left);
    for (const PlaceRange& part : level.others)
      if (part.from > level.root) b.recv_reduce(vector, g.at(part.from), Side::right);
  }
}

}  // namespace

Rows reduce_knomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "tree by splitting ranges into radix parts, backwards",
      .valid = any,
      .rounds = {"ceil(log p), to the base radix", levels_of},
      .cost = {"at most (radix-1) rounds (alpha_uni + n beta_uni + n gamma)",
               [](S s, R r) { return reduce_knomial_cost(s.p, s.root, radix_of(s), s.n, r); }},
      .scratch = {"at most n", vector},
      .source = "baseline",
      .parameters = {tree_radix},
      .generate = adapt::reduce<reduce_knomial>,
  }};
}

}  // namespace tutti::core
