// Allgather over a mesh, a hybrid of trees and rings. Also allgatherv.
//
// Along the dimensions that are not long trees gather and broadcast; rings collect along the long
// ones, the last first. v is n, and v/d behind a long dimension d.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_hybrid(Builder& b, const Group& g, const Blocks& blocks, const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  for (int i = lines.dimensions(); i-- > hybrid.longs;)
    if (lines.meets(i, 0)) gather_binomial(b, lines.along(i), 0, lines.slabs(blocks, i));
  const auto [from, to] = lines.box(hybrid.longs);
  bcast_along(b, lines, hybrid.longs, 0, blocks.range(from, to));
  for (int i = hybrid.longs; i-- > 0;) allgather_ring(b, lines.along(i), lines.slabs(blocks, i));
}

}  // namespace

Rows allgather_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "a mesh: trees along its last dimensions, then rings along the long ones",
      .valid = any,
      .rounds = {"sum of d-1 over long dimensions d, 2 ceil(lg d) over the others",
                 [](S s) { return hybrid_rounds(Collective::allgather, s); }},
      .cost = {"long d: (d-1) alpha + (d-1)/d v beta, v = v/d; the others as gather_bcast of v",
               [](S s, R r) { return hybrid_seconds(Collective::allgather, s, r); }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.3 and 3.4",
      .parameters = {shape_parameter, long_parameter},
      .generate = adapt::allgather<allgather_hybrid>,
  }};
}

}  // namespace tutti::core
