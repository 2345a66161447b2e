// Ring reduce-scatter (bucket distributed combine).
//
// Always the same two neighbours. The bucket of block j starts at rank j+1 and ends, full, at rank
// j.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void reduce_scatter_ring(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  for (int t = 1; t < p; ++t) {
    b.round();
    b.send(mine[wrap(r - t, p)], g.at(wrap(r + 1, p)));
    b.recv_reduce(mine[wrap(r - t - 1, p)], g.at(wrap(r - 1, p)), Side::left);
  }
}

Rows reduce_scatter_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "bucket distributed combine; two neighbours only",
      .valid = commutative,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma)", combine_from_each},
      .scratch = {"at most n", vector},
      .source = "Mitra et al. 1995, 3.1.2",
      .node_ordered = true,
      .generate = adapt::reduce_scatter<reduce_scatter_ring, true>,
  }};
}

}  // namespace tutti::core
