// Pairwise reduce-scatter, ring allgather (the paper's "ring").

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_pairwise_ring(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_pairwise(b, g, segments, true);
  allgather_ring(b, g, segments);
}

}  // namespace

Rows allreduce_pairwise_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "pairwise reduce-scatter, ring allgather",
      .valid = commutative,
      .rounds = {"2(p-1)", [](S s) { return 2 * (s.p - 1); }},
      .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
      .scratch = {"none", none},
      .source = "Thakur, Rabenseifner, Gropp 2005, 5.3",
      .generate = adapt::allreduce<allreduce_pairwise_ring>,
  }};
}

}  // namespace tutti::core
