// K-nomial gather: the scatter's tree backwards.

#include <ranges>

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void gather_knomial(Builder& b, const Group& g, int root, const Blocks& blocks, Radix radix) {
  const std::vector<Splitting> levels = splittings(g.size(), root, radix, g.rank());
  for (const Splitting& level : std::views::reverse(levels)) {
    b.round();
    for (const PlaceRange& part : level.others)
      if (g.rank() == level.root)
        b.recv(blocks.range(part.from, part.to), g.at(part.from));
      else if (g.rank() == part.from)
        b.send(blocks.range(part.from, part.to), g.at(level.root));
  }
}

}  // namespace

Rows gather_knomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::gather},
      .summary = "tree by splitting ranges into radix parts, backwards",
      .valid = any,
      .rounds = {"ceil(log p), to the base radix", levels_of},
      .cost = {"at most (radix-1) rounds alpha_uni + (p-1)/p n beta_uni (root 0)",
               [](S s, R r) {
                 return gather_knomial_cost(s.p, s.root, radix_of(s), s.n / s.p, r);
               }},
      .scratch = {"less than n/2", blocks_of_subtree},
      .source = "baseline",
      .parameters = {tree_radix},
      .generate = adapt::gather<gather_knomial>,
  }};
}

}  // namespace tutti::core
