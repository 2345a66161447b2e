// Round-optimal broadcast of k blocks over the circulant graph.
//
//   valid    any p
//   rounds   k - 1 + q
//   cost     (k-1 + q) (alpha + n/k beta)
//   scratch  none
//   source   Träff 2022-2025
//
// In round i every rank sends to the one s_j ahead and receives from the one s_j behind, j = i mod
// q. What a rank sends is what its peer receives; the root receives nothing.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void bcast_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks) {
  const int p = g.size();
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks);
  for (const auto& hop : CirculantBroadcast(p, blocks).hops(wrap(g.rank() - root, p))) {
    b.round();
    if (hop.out >= 0) b.send(block[hop.out], at(hop.to));
    if (hop.in >= 0) b.recv(block[hop.in], at(hop.from));
  }
}

}  // namespace tutti::core
