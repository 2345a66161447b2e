// K-nomial scatter: the broadcast's tree; each part of a range gets its blocks in one message.

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatter_knomial(Builder& b, const Group& g, int root, const Blocks& blocks, Radix radix) {
  for (const Splitting& level : splittings(g.size(), root, radix, g.rank())) {
    b.round();
    for (const PlaceRange& part : level.others)
      if (g.rank() == level.root)
        b.send(blocks.range(part.from, part.to), g.at(part.from));
      else if (g.rank() == part.from)
        b.recv(blocks.range(part.from, part.to), g.at(level.root));
  }
}

}  // namespace

Rows scatter_knomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::scatter},
      .summary = "tree by splitting ranges into radix parts, each of which gets its blocks",
      .valid = any,
      .rounds = {"ceil(log p), to the base radix", levels_of},
      .cost = {"at most (radix-1) rounds alpha_uni + (p-1)/p n beta_uni (root 0)",
               [](S s, R r) {
                 return scatter_knomial_cost(s.p, s.root, radix_of(s), s.n / s.p, r);
               }},
      .scratch = {"less than n/2", blocks_of_subtree},
      .source = "baseline",
      .parameters = {tree_radix},
      .generate = adapt::scatter<scatter_knomial>,
  }};
}

}  // namespace tutti::core
