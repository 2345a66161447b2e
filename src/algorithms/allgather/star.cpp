// Star allgather: rank 0 receives each block from its owner and sends each all of them. Also
// allgatherv.
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_star(Builder& b, const Group& g, const Blocks& blocks) {
  gather_linear(b, g, 0, blocks);
  bcast_linear(b, g, 0, blocks.range(0, g.size()));
}

}  // namespace

Rows allgather_star_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "rank 0 receives each block from its owner and sends each all of them",
      .valid = any,
      .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
      .cost = {"2(p-1) alpha_uni + ((p-1)/p + p-1) n beta_uni",
               [](S s, R r) {
                 return 2 * (s.p - 1) * r.alpha_uni + (share(s) + s.p - 1) * s.n * r.beta_uni;
               }},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::allgather<allgather_star>,
  }};
}

}  // namespace tutti::core
