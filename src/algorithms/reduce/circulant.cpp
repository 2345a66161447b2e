// Round-optimal reduce of k blocks: the circulant broadcast backwards.
//
//   valid    any p; commutative
//   rounds   k - 1 + q
//   cost     (k-1 + q) (alpha + n/k (beta + gamma))
//   scratch  at most n
//   source   Träff 2022-2025
//
// Where the broadcast receives a block the reduce sends it, and where it sends one it receives and
// combines.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti {

void reduce_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks) {
  const int p = g.size(), r = wrap(g.rank() - root, p);
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks);
  const CirculantBroadcast graph(p, blocks);
  const std::vector<int> mine = graph.receive_entries(r);
  std::vector<int> theirs(mine.size());  // what the peer of each phase sends
  for (int j = 0; j < static_cast<int>(theirs.size()); ++j)
    theirs[j] = graph.receive_entries((r + graph.skip(j)) % p)[j];

  for (int i = graph.end_round() - 1; p > 1 && i >= graph.first_round(); --i) {
    const int j = i % static_cast<int>(mine.size());
    const int from = (r + graph.skip(i)) % p, to = wrap(r - graph.skip(i), p);
    const int in = graph.block(theirs[j], i), out = graph.block(mine[j], i);
    b.round();
    if (r != 0 && out >= 0) b.send(block[out], at(to));
    if (from != 0 && in >= 0) b.recv_reduce(block[in], at(from), Side::right);
  }
}

}  // namespace tutti
