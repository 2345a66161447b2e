// Linear broadcast: the root sends to each.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void bcast_linear(Builder& b, const Group& g, int root, const Slices& vector) {
  const int p = g.size();
  b.round();
  if (g.rank() != root) return b.recv(vector, g.at(root));
  for (int i = 1; i < p; ++i) b.send(vector, g.at(wrap(root + i, p)));
}

Rows bcast_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "the root sends to each",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) (alpha_uni + n beta_uni)",
               [](S s, R r) { return (s.p - 1) * one_way(r, s.n); }},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::bcast<bcast_linear>,
  }};
}

}  // namespace tutti::core
