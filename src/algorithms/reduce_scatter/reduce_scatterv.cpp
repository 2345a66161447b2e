// Reduce-scatter the old way: binomial reduce, linear scatterv.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_reduce_scatterv(Builder& b, const Group& g, const Blocks& mine) {
  reduce_binomial(b, g, 0, mine.range(0, g.size()));
  scatter_linear(b, g, 0, mine);
}

}  // namespace

Rows reduce_scatter_reduce_scatterv_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "the old way: binomial reduce, linear scatterv",
      .valid = any,
      .rounds = {"q + 1", [](S s) { return s.p > 1 ? s.q() + 1 : 0; }},
      .cost = {"(q + p-1) alpha_uni + (q + (p-1)/p) n beta_uni + q n gamma",
               [](S s, R r) {
                 return (s.q() + s.p - 1) * r.alpha_uni + (s.q() + share(s)) * s.n * r.beta_uni +
                        s.q() * s.n * r.gamma;
               }},
      .scratch = {"at most n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
      .generate = adapt::reduce_scatter<reduce_scatter_reduce_scatterv>,
  }};
}

}  // namespace tutti::core
