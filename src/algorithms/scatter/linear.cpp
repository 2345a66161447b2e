// Linear scatter: the root sends each its block. Also scatterv.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void scatter_linear(Builder& b, const Group& g, int root, const Blocks& blocks) {
  const int p = g.size();
  b.round();
  if (g.rank() != root) return b.recv(blocks[g.rank()], g.at(root));
  for (int i = 1; i < p; ++i) b.send(blocks[wrap(root + i, p)], g.at(wrap(root + i, p)));
}

Rows scatter_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::scatter, Collective::scatterv},
      .summary = "the root sends each its block",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) alpha_uni + (p-1)/p n beta_uni", linear_to_root},
      .scratch = {"none", none},
      .source = "Thakur, Gropp 2002, 4.1",
      .generate = adapt::scatterv<scatter_linear>,
  }};
}

}  // namespace tutti::core
