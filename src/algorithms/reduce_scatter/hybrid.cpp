// Reduce-scatter over a mesh, a hybrid of rings and trees.
//
// The allgather backwards: rings combine and share out along the long dimensions, where the
// operator must commute, and v, the vector, becomes v/d; trees combine along the others, and
// scatter.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_scatter_hybrid(Builder& b, const Group& g, const Blocks& mine, const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  for (int i = 0; i < hybrid.longs; ++i)
    reduce_scatter_ring(b, lines.along(i), lines.slabs(mine, i));
  const auto [from, to] = lines.box(hybrid.longs);
  reduce_along(b, lines, hybrid.longs, 0, mine.range(from, to));
  for (int i = hybrid.longs; i < lines.dimensions(); ++i)
    if (lines.meets(i, 0)) scatter_binomial(b, lines.along(i), 0, lines.slabs(mine, i));
}

}  // namespace

Rows reduce_scatter_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "a mesh: rings combine along its long dimensions, trees along the others",
      .valid = any,
      .rounds = {"sum of d-1 over long dimensions d, 2 ceil(lg d) over the others",
                 [](S s) { return hybrid_rounds(Collective::reduce_scatter, s); }},
      .cost =
          {"long d: (d-1) alpha + (d-1)/d v (beta + gamma), v = v/d; else reduce and scatter of v",
           [](S s, R r) { return hybrid_seconds(Collective::reduce_scatter, s, r); }},
      .scratch = {"at most n", vector},
      .source = "Mitra et al. 1995, 3.3 and 3.4",
      .parameters = {shape_parameter, reduction_long_parameter},
      .generate = adapt::reduce_scatter<reduce_scatter_hybrid>,
  }};
}

}  // namespace tutti::core
