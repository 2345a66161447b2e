// Circulant reduce-scatter, circulant allgather.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_circulant(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_circulant(b, g, segments);
  allgather_circulant(b, g, segments);
}

}  // namespace

Rows allreduce_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "circulant reduce-scatter, circulant allgather",
      .valid = commutative,
      .rounds = {"2q", [](S s) { return 2 * s.q(); }},
      .cost = {"2q alpha + (p-1)/p n (2 beta + gamma)",
               [](S s, R r) {
                 return 2 * s.q() * r.alpha + share(s) * s.n * (2 * r.beta + r.gamma);
               }},
      .scratch = {"none", none},
      .source = "Träff 2024",
      .generate = adapt::allreduce<allreduce_circulant>,
  }};
}

}  // namespace tutti::core
