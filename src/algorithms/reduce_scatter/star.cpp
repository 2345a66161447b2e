// Star reduce-scatter: all send to rank 0, which combines in rank order and sends each its block.
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_star(Builder& b, const Group& g, const Blocks& mine) {
  reduce_linear(b, g, 0, mine.range(0, g.size()));
  scatter_linear(b, g, 0, mine);
}

}  // namespace

Rows reduce_scatter_star_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "all send to rank 0, which combines in rank order and sends each its block",
      .valid = any,
      .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
      .cost = {"2(p-1) alpha_uni + ((p-1) + (p-1)/p) n beta_uni + (p-1) n gamma",
               [](S s, R r) {
                 return 2 * (s.p - 1) * r.alpha_uni + (s.p - 1 + share(s)) * s.n * r.beta_uni +
                        (s.p - 1) * s.n * r.gamma;
               }},
      .scratch = {"at most n", vector},
      .source = "baseline",
      .generate = adapt::reduce_scatter<reduce_scatter_star>,
  }};
}

}  // namespace tutti::core
