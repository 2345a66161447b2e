// K-nomial broadcast: a tree by range splitting.
//
// The root stays in its part; the first ranks of the other parts become the roots there.

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/splitting.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_knomial(Builder& b, const Group& g, int root, const Slice& vector, Radix radix) {
  for (const Splitting& level : splittings(g.size(), root, radix, g.rank())) {
    b.round();
    if (g.rank() != level.root) {
      b.recv(vector, g.at(level.root));
      continue;
    }
    for (const PlaceRange& part : level.others) b.send(vector, g.at(part.from));
  }
}

}  // namespace

Rows bcast_knomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "tree by splitting ranges into radix parts",
      .valid = any,
      .rounds = {"ceil(log p), to the base radix", levels_of},
      .cost = {"at most (radix-1) rounds (alpha_uni + n beta_uni)",
               [](S s, R r) { return bcast_knomial_cost(s.p, s.root, radix_of(s), s.n, r); }},
      .scratch = {"none", none},
      .source = "baseline",
      .parameters = {tree_radix},
      .generate = adapt::bcast<bcast_knomial>,
  }};
}

}  // namespace tutti::core
