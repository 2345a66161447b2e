// Binomial reduce, binomial broadcast.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_reduce_bcast(Builder& b, const Group& g, const Slice& vector) {
  reduce_binomial(b, g, 0, {vector});
  bcast_binomial(b, g, 0, {vector});
}

}  // namespace

Rows allreduce_reduce_bcast_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "binomial reduce, binomial broadcast",
      .valid = any,
      .rounds = {"2q", [](S s) { return 2 * s.q(); }},
      .cost = {"2q (alpha_uni + n beta_uni) + q n gamma",
               [](S s, R r) { return 2 * s.q() * one_way(r, s.n) + s.q() * s.n * r.gamma; }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.2.1; Thakur, Rabenseifner, Gropp 2005, 5",
      .generate = adapt::allreduce<allreduce_reduce_bcast>,
  }};
}

}  // namespace tutti::core
