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

namespace tutti {

void bcast_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks) {
  const int p = g.size(), r = wrap(g.rank() - root, p);
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks);
  const CirculantBroadcast graph(p, blocks);
  const std::vector<int> mine = graph.receive_entries(r);
  std::vector<int> theirs(mine.size());  // what the peer of each phase receives
  for (int j = 0; j < static_cast<int>(theirs.size()); ++j)
    theirs[j] = graph.receive_entries((r + graph.skip(j)) % p)[j];

  for (int i = graph.first_round(); p > 1 && i < graph.end_round(); ++i) {
    const int j = i % static_cast<int>(mine.size());
    const int to = (r + graph.skip(i)) % p, from = wrap(r - graph.skip(i), p);
    const int out = graph.block(theirs[j], i), in = graph.block(mine[j], i);
    b.round();
    if (to != 0 && out >= 0) b.send(block[out], at(to));
    if (r != 0 && in >= 0) b.recv(block[in], at(from));
  }
}

}  // namespace tutti
