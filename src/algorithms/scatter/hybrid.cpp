// Scatter over a mesh.
//
//   valid    any p
//   rounds   sum of ceil(lg d) over the dimensions d
//   cost     (sum of ceil(lg d)) alpha_uni + (p-1)/p n beta_uni (root 0)
//   scratch  at most 2n/3
//   source   Mitra et al. 1995, 3.3
//
// In the root's line along the first dimension, then in those of all that got something.

#include "algorithms/pattern/lines.hpp"

namespace tutti::core {

void scatter_hybrid(Builder& b, const Group& g, int root, const Blocks& blocks,
                    const Hybrid& mesh) {
  const Lines lines(g, mesh.shape);
  for (int i = 0; i < lines.dimensions(); ++i) {
    if (!lines.meets(i, root)) continue;
    const auto [from, to] = lines.spoken_for(i, root);
    scatter_binomial(b, lines.along(i), lines.place(i, root), lines.slabs(blocks, i, from, to));
  }
}

}  // namespace tutti::core
