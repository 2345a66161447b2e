// Allreduce over a mesh, a hybrid of rings and trees.
//
// Rings combine and share out along the long dimensions, where the operator must commute, and v,
// the vector, becomes v/d; trees combine and broadcast along the others; rings collect.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_hybrid(Builder& b, const Group& g, const Slice& vector, const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  const Cut cut(lines, vector, hybrid.longs);
  for (int i = 0; i < hybrid.longs; ++i) reduce_scatter_ring(b, lines.along(i), cut.along[i]);
  reduce_along(b, lines, hybrid.longs, 0, {cut.rest});
  bcast_along(b, lines, hybrid.longs, 0, {cut.rest});
  for (int i = hybrid.longs; i-- > 0;) allgather_ring(b, lines.along(i), cut.along[i]);
}

}  // namespace

Rows allreduce_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "a mesh: rings along its long dimensions, trees along the others, rings back",
      .valid = any,
      .rounds = {"sum of 2(d-1) over long dimensions d, 2 ceil(lg d) over the others",
                 [](S s) { return hybrid_rounds(Collective::allreduce, s); }},
      .cost =
          {"long d: 2(d-1) alpha + (d-1)/d v (2 beta + gamma), v = v/d; else as reduce_bcast of v",
           [](S s, R r) { return hybrid_seconds(Collective::allreduce, s, r); }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.3 and 3.4",
      .parameters = {shape_parameter, reduction_long_parameter},
      .generate = adapt::allreduce<allreduce_hybrid>,
  }};
}

}  // namespace tutti::core
