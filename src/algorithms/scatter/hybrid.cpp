// Scatter over a mesh.
//
// In the root's line along the first dimension, then in those of all that got something.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/lines.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scatter_hybrid(Builder& b, const Group& g, int root, const Blocks& blocks,
                    const Hybrid& mesh) {
  const Lines lines(g, mesh.shape);
  for (int i = 0; i < lines.dimensions(); ++i) {
    if (!lines.meets(i, root)) continue;
    const auto [from, to] = lines.spoken_for(i, root);
    scatter_binomial(b, lines.along(i), lines.place(i, root), lines.slabs(blocks, i, from, to));
  }
}

}  // namespace

Rows scatter_hybrid_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::scatter},
      .summary = "a mesh: trees along its dimensions, the first first",
      .valid = any,
      .rounds = {"sum of ceil(lg d) over the dimensions d",
                 [](S s) { return hybrid_rounds(Collective::scatter, s); }},
      .cost = {"(sum of ceil(lg d)) alpha_uni + (p-1)/p n beta_uni (root 0)",
               [](S s, R r) { return hybrid_seconds(Collective::scatter, s, r); }},
      .scratch = {"at most 2n/3", passing},
      .source = "Mitra et al. 1995, 3.3",
      .parameters = {shape_parameter},
      .generate = adapt::scatter_mesh<scatter_hybrid>,
  }};
}

}  // namespace tutti::core
