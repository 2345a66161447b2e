// Pairwise reduce-scatter, then each sends its segment straight to the root (the paper's "ring").

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_pairwise_direct(Builder& b, const Group& g, int root, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_pairwise(b, g, segments, true);
  gather_linear(b, g, root, segments);
}

}  // namespace

Rows reduce_pairwise_direct_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "pairwise reduce-scatter, each sends its segment straight to the root",
      .valid = commutative,
      .rounds = {"p", [](S s) { return s.p > 1 ? s.p : 0; }},
      .cost = {"(p-1) (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma)",
               [](S s, R r) {
                 return (s.p - 1) * (r.alpha + r.alpha_uni) +
                        share(s) * s.n * (r.beta + r.beta_uni + r.gamma);
               }},
      .scratch = {"at most n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 5.3",
      .generate = adapt::reduce<reduce_pairwise_direct>,
  }};
}

}  // namespace tutti::core
