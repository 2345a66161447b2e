// Circulant reduce-scatter.
//
// Before the round of skip s_k rank r has partial results for ranks r, ..., r+s_(k+1)-1 (mod p); it
// hands those from r+s_k on to rank r+s_k.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void reduce_scatter_circulant(Builder& b, const Group& g, const Blocks& mine) {
  const int p = g.size(), r = g.rank();
  const std::vector<int> skips = circulant_skips(p);
  for (std::size_t k = skips.size() - 1; k-- > 0;) {
    const int skip = skips[k], number = skips[k + 1] - skip;
    b.round();
    b.send(mine.circular((r + skip) % p, number), g.at((r + skip) % p));
    b.recv_reduce(mine.circular(r, number), g.at(wrap(r - skip, p)), Side::right);
  }
}

Rows reduce_scatter_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce_scatter, Collective::reduce_scatter_block},
      .summary = "q rounds and p-1 blocks for every p",
      .valid = commutative,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha + (p-1)/p n (beta + gamma)",
               [](S s, R r) { return s.q() * r.alpha + share(s) * s.n * (r.beta + r.gamma); }},
      .scratch = {"at most n", vector},
      .source = "Träff 2024",
      .generate = adapt::reduce_scatter<reduce_scatter_circulant>,
  }};
}

}  // namespace tutti::core
