// Broadcast over a mesh, a hybrid of trees and rings.
//
// Long vectors are scattered along a dimension, first in the root's line, then in those of all that
// got a part; v, the vector, becomes v/d. What is left is broadcast along the other dimensions, and
// the parts are collected by rings, the last scattered first.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_hybrid(Builder& b, const Group& g, int root, const Slice& vector, const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  const Cut cut(lines, vector, hybrid.longs);
  for (int i = 0; i < hybrid.longs; ++i)
    if (lines.meets(i, root))
      scatter_binomial(b, lines.along(i), lines.place(i, root), cut.along[i]);
  bcast_along(b, lines, hybrid.longs, root, {cut.rest});
  for (int i = hybrid.longs; i-- > 0;) allgather_ring(b, lines.along(i), cut.along[i]);
}

}  // namespace

Rows bcast_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "a mesh: scatter along its long dimensions, trees along the others, rings back",
      .valid = any,
      .rounds = {"sum of ceil(lg d) + d-1 over long dimensions d, ceil(lg d) over the others",
                 [](S s) { return hybrid_rounds(Collective::bcast, s); }},
      .cost = {"long d: scatter and ring of v, v = v/d; else ceil(lg d) (alpha_uni + v beta_uni)",
               [](S s, R r) { return hybrid_seconds(Collective::bcast, s, r); }},
      .scratch = {"none", none},
      .source = "Mitra et al. 1995, 3.3 and 3.4",
      .parameters = {shape_parameter, long_parameter},
      .generate = adapt::bcast<bcast_hybrid>,
  }};
}

}  // namespace tutti::core
