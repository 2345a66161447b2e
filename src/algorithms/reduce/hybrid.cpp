// Reduction over a mesh, a hybrid of rings and trees.
//
// The broadcast backwards: rings combine and share out along the long dimensions, where the
// operator must commute, and v, the vector, becomes v/d; trees combine along the others; the parts
// are gathered.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_hybrid(Builder& b, const Group& g, int root, const Slice& vector,
                   const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  const Cut cut(lines, vector, hybrid.longs);
  for (int i = 0; i < hybrid.longs; ++i) reduce_scatter_ring(b, lines.along(i), cut.along[i]);
  reduce_along(b, lines, hybrid.longs, root, {cut.rest});
  for (int i = hybrid.longs; i-- > 0;)
    if (lines.meets(i, root))
      gather_binomial(b, lines.along(i), lines.place(i, root), cut.along[i]);
}

}  // namespace

Rows reduce_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "a mesh: rings combine along its long dimensions, trees along the others, gather",
      .valid = any,
      .rounds = {"sum of d-1 + ceil(lg d) over long dimensions d, ceil(lg d) over the others",
                 [](S s) { return hybrid_rounds(Collective::reduce, s); }},
      .cost = {"long d: ring, gather of v, v = v/d; else ceil(lg d) (alpha_uni + v (beta_uni + "
               "gamma))",
               [](S s, R r) { return hybrid_seconds(Collective::reduce, s, r); }},
      .scratch = {"at most n", vector},
      .source = "Mitra et al. 1995, 3.3 and 3.4",
      .parameters = {shape_parameter, reduction_long_parameter},
      .generate = adapt::reduce<reduce_hybrid>,
  }};
}

}  // namespace tutti::core
