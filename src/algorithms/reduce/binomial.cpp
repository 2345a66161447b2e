// Binomial reduce: the broadcast's tree backwards; ranges are contiguous, so the rank order is
// kept.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void reduce_binomial(Builder& b, const Group& g, int root, const Slices& vector) {
  const std::vector<Halving> levels = halvings(g.size(), root, g.rank());
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (g.rank() == level->root)
      b.recv_reduce(vector, g.at(level->other),
                    level->other < level->root ? Side::left : Side::right);
    else
      b.send(vector, g.at(level->root));
  }
}

Rows reduce_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "minimum spanning tree combine-to-one, ranges contiguous",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q (alpha_uni + n beta_uni + n gamma)",
               [](S s, R r) { return s.q() * (one_way(r, s.n) + s.n * r.gamma); }},
      .scratch = {"at most n", vector},
      .source = "Mitra et al. 1995, 3.1.1; Thakur, Rabenseifner, Gropp 2005, 4.5",
      .generate = adapt::reduce<reduce_binomial>,
  }};
}

}  // namespace tutti::core
