// Binomial barrier: combine to place 0, then broadcast, with empty messages.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void barrier_binomial(Builder& b, const Group& g) {
  const int r = g.rank();
  const std::vector<Halving> levels = halvings(g.size(), 0, r);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    b.round();
    if (r == level->root)
      b.await(g.at(level->other));
    else
      b.signal(g.at(level->root));
  }
  for (const Halving& level : levels) {
    b.round();
    if (r == level.root)
      b.signal(g.at(level.other));
    else
      b.await(g.at(level.root));
  }
}

}  // namespace

Rows barrier_binomial_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::barrier},
      .summary = "combine to 0, then broadcast, empty messages",
      .valid = any,
      .rounds = {"2q", [](S s) { return 2 * s.q(); }},
      .cost = {"2q alpha_uni", [](S s, R r) { return 2 * s.q() * r.alpha_uni; }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.1.1",
      .generate = adapt::barrier<barrier_binomial>,
  }};
}

}  // namespace tutti::core
