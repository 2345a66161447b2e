// Linear reduce: all send to the root, which combines in rank order, in one round.
//
// The root's own operand stands in the middle: lower ranks join on its left from the nearest down,
// higher ranks on its right from the nearest up.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void reduce_linear(Builder& b, const Group& g, int root, const Slices& vector) {
  b.round();
  if (g.rank() != root) return b.send(vector, g.at(root));
  for (int i = root - 1; i >= 0; --i) b.recv_reduce(vector, g.at(i), Side::left);
  for (int i = root + 1; i < g.size(); ++i) b.recv_reduce(vector, g.at(i), Side::right);
}

Rows reduce_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "all send to the root, combined in rank order in one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) (alpha_uni + n beta_uni + n gamma)",
               [](S s, R r) { return (s.p - 1) * (one_way(r, s.n) + s.n * r.gamma); }},
      .scratch = {"at most n", vector},
      .source = "baseline",
      .generate = adapt::reduce<reduce_linear>,
  }};
}

}  // namespace tutti::core
