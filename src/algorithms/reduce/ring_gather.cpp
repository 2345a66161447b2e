// Bucket distributed combine, then binomial gather.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_ring_gather(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_ring(b, g, segments);
  gather_binomial(b, g, root, segments);
}

}  // namespace

Rows reduce_ring_gather_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "bucket distributed combine, binomial gather",
      .valid = commutative,
      .rounds = {"q + p - 1", [](S s) { return s.q() + s.p - 1; }},
      .cost = {"(p-1) alpha + q alpha_uni + (p-1)/p n (beta + beta_uni + gamma) (root 0)",
               [](S s, R r) {
                 return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma) +
                        tree_cost(s.p, s.root, s.n / s.p, r);
               }},
      .scratch = {"at most n", vector},
      .source = "Mitra et al. 1995, 3.2.2",
      .generate = adapt::reduce<reduce_ring_gather>,
  }};
}

}  // namespace tutti::core
