// Ring allgather. Also allgatherv.
//
// Always the same two neighbours. After round t rank r holds blocks r, r-1, ..., r-t-1 (mod p).

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void allgather_ring(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  for (int t = 0; t < p - 1; ++t) {
    b.round();
    b.send(blocks[wrap(r - t, p)], g.at(wrap(r + 1, p)));  // the newest block held
    b.recv(blocks[wrap(r - t - 1, p)], g.at(wrap(r - 1, p)));
  }
}

Rows allgather_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "blocks pass round; always the same two neighbours",
      .valid = any,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none", none},
      .source =
          "Thakur, Rabenseifner, Gropp 2005, 4.1; Mitra et al. 1995, 3.1.2; Träff et al. 2008",
      .node_ordered = true,
      .generate = adapt::allgather<allgather_ring, true>,
  }};
}

}  // namespace tutti::core
