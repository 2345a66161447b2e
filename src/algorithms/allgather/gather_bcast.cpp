// Allgather by binomial gather and binomial broadcast.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_gather_bcast(Builder& b, const Group& g, const Blocks& blocks) {
  gather_binomial(b, g, 0, blocks);
  bcast_binomial(b, g, 0, blocks.range(0, g.size()));
}

}  // namespace

Rows allgather_gather_bcast_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather},
      .summary = "binomial gather, binomial broadcast",
      .valid = any,
      .rounds = {"2q", [](S s) { return 2 * s.q(); }},
      .cost = {"2q alpha_uni + ((p-1)/p + q) n beta_uni",
               [](S s, R r) {
                 return 2 * s.q() * r.alpha_uni + (share(s) + s.q()) * s.n * r.beta_uni;
               }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.2.1",
      .generate = adapt::allgather<allgather_gather_bcast>,
  }};
}

}  // namespace tutti::core
