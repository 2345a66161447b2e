// Allgather over a mesh, a hybrid of trees and rings. Also allgatherv.
//
//   valid    any p
//   rounds   sum of d-1 over long dimensions d, 2 ceil(lg d) over the others
//   cost     long d: (d-1) alpha + (d-1)/d v beta, v = v/d; the others as gather_bcast of v
//   scratch  none
//   source   Mitra et al. 1995, 3.3 and 3.4
//
// Along the dimensions that are not long trees gather and broadcast; rings collect along the long
// ones, the last first. v is n, and v/d behind a long dimension d.

#include "algorithms/pattern/lines.hpp"

namespace tutti::core {

void allgather_hybrid(Builder& b, const Group& g, const Blocks& blocks, const Hybrid& hybrid) {
  const Lines lines(g, hybrid.shape);
  for (int i = lines.dimensions(); i-- > hybrid.longs;)
    if (lines.meets(i, 0)) gather_binomial(b, lines.along(i), 0, lines.slabs(blocks, i));
  const auto [from, to] = lines.box(hybrid.longs);
  bcast_along(b, lines, hybrid.longs, 0, blocks.range(from, to));
  for (int i = hybrid.longs; i-- > 0;) allgather_ring(b, lines.along(i), lines.slabs(blocks, i));
}

}  // namespace tutti::core
