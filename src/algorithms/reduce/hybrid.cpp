// Reduction over a mesh, a hybrid of rings and trees.
//
//   valid    any p, any operator
//   rounds   sum of d-1 + ceil(lg d) over long dimensions d, ceil(lg d) over the others
//   cost     long d: ring, gather of v, v = v/d; else ceil(lg d) (alpha_uni + v (beta_uni + gamma))
//   scratch  at most n
//   source   Mitra et al. 1995, 3.3 and 3.4
//
// The broadcast backwards: rings combine and share out along the long dimensions, where the
// operator must commute, and v, the vector, becomes v/d; trees combine along the others; the parts
// are gathered.

#include "algorithms/pattern/lines.hpp"

namespace tutti::core {

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

}  // namespace tutti::core
