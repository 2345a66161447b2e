// Binomial broadcast: a minimum spanning tree by range halving.
//
// The root stays in its half; the first rank of the other half becomes the root there.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void bcast_binomial(Builder& b, const Group& g, int root, const Slices& vector) {
  for (const Halving& level : halvings(g.size(), root, g.rank())) {
    b.round();
    if (g.rank() == level.root)
      b.send(vector, g.at(level.other));
    else
      b.recv(vector, g.at(level.root));
  }
}

Rows bcast_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "minimum spanning tree by range halving",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q (alpha_uni + n beta_uni)", [](S s, R r) { return s.q() * one_way(r, s.n); }},
      .scratch = {"none", none},
      .source = "Thakur, Gropp 2002, 4.3; Mitra et al. 1995, 3.1.1",
      .generate = adapt::bcast<bcast_binomial>,
  }};
}

}  // namespace tutti::core
