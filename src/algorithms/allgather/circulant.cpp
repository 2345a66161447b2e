// Circulant allgather: the circulant reduce-scatter backwards.
//
// Before the round of skip s_k rank r holds blocks r, ..., r+s_k-1 (mod p), each in its final
// place.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void allgather_circulant(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  const std::vector<int> skips = circulant_skips(p);
  for (std::size_t k = 0; k + 1 < skips.size(); ++k) {
    const int skip = skips[k], number = skips[k + 1] - skip;
    b.round();
    b.send(blocks.circular(r, number), g.at(wrap(r - skip, p)));
    b.recv(blocks.circular((r + skip) % p, number), g.at((r + skip) % p));
  }
}

Rows allgather_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather},
      .summary = "the circulant reduce-scatter backwards",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha + (p-1)/p n beta", in_q_rounds},
      .scratch = {"none", none},
      .source = "Träff 2024",
      .generate = adapt::allgather<allgather_circulant>,
  }};
}

}  // namespace tutti::core
