// Binomial gather: the scatter's tree backwards.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void gather_binomial(Builder& b, const Group& g, int root, const Blocks& blocks) {
  const std::vector<Halving> levels = halvings(g.size(), root, g.rank());
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (g.rank() == level->root)
      b.recv(blocks.range(level->from, level->to), g.at(level->other));
    else
      b.send(blocks.range(level->from, level->to), g.at(level->root));
  }
}

Rows gather_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::gather},
      .summary = "minimum spanning tree, doubling the data",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha_uni + (p-1)/p n beta_uni (root 0)", binomial_to_root},
      .scratch = {"less than n/2", blocks_of_subtree},
      .source = "Thakur, Gropp 2002, 4.1; Mitra et al. 1995, 3.1.1",
      .generate = adapt::gather<gather_binomial>,
  }};
}

}  // namespace tutti::core
