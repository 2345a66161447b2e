// Broadcast by binomial scatter and ring allgather.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_scatter_allgather_ring(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks blocks = split(vector, g.size());
  scatter_binomial(b, g, root, blocks);
  allgather_ring(b, g, blocks);
}

}  // namespace

Rows bcast_scatter_allgather_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "binomial scatter, ring allgather",
      .valid = any,
      .rounds = {"q + p - 1", [](S s) { return s.q() + s.p - 1; }},
      .cost = {"q alpha_uni + (p-1) alpha + (p-1)/p n (beta_uni + beta) (root 0)",
               [](S s, R r) {
                 return tree_cost(s.p, s.root, s.n / s.p, r) + (s.p - 1) * exchange(r, s.n / s.p);
               }},
      .scratch = {"none", none},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.2; Mitra et al. 1995, 3.2.2",
      .generate = adapt::bcast<bcast_scatter_allgather_ring>,
  }};
}

}  // namespace tutti::core
