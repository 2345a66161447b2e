// Circulant reduce-scatter.
//
//   valid    any p; commutative
//   rounds   q
//   cost     q alpha + (p-1)/p n (beta + gamma)
//   scratch  at most n
//   source   Träff 2024
//
// Before the round of skip s_k rank r has partial results for ranks r, ..., r+s_(k+1)-1 (mod p); it
// hands those from r+s_k on to rank r+s_k.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

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

}  // namespace tutti::core
