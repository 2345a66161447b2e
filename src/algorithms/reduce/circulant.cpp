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

namespace tutti::core {

void reduce_circulant(Builder& b, const Group& g, int root, const Slice& vector, int blocks) {
  const int p = g.size();
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks);
  const auto hops = CirculantBroadcast(p, blocks).hops(wrap(g.rank() - root, p));
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    b.round();
    if (hop->in >= 0) b.send(block[hop->in], at(hop->from));
    if (hop->out >= 0) b.recv_reduce(block[hop->out], at(hop->to), Side::right);
  }
}

}  // namespace tutti::core
