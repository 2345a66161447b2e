// Ring allreduce: bucket distributed combine, bucket collect.
//
// Always the same two neighbours.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_ring(Builder& b, const Group& g, const Slice& vector) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_ring(b, g, segments);
  allgather_ring(b, g, segments);
}

}  // namespace

Rows allreduce_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "bucket distributed combine, bucket collect; two neighbours only",
      .valid = commutative,
      .rounds = {"2(p-1)", [](S s) { return 2 * (s.p - 1); }},
      .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.2.2",
      .node_ordered = true,
      .generate = adapt::allreduce<allreduce_ring, true>,
  }};
}

}  // namespace tutti::core
