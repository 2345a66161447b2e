// Pipelined chain reduce, in rank order; for an inner root two chains meet there.
//
//   valid    any p, any operator
//   rounds   longer chain - 1 + k; root 0: p - 2 + k
//   cost     (p-2 + k) (alpha + n/k (beta + gamma)), k = n / segment; inner root: 2k messages
//   scratch  at most n
//   source   the chain broadcast backwards
//
// The lower chain runs from rank 0 up, the higher one from rank p-1 down. An inner root receives
// both streams.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void reduce_chain(Builder& b, const Group& g, int root, const Slice& vector, int segments) {
  const int p = g.size(), r = g.rank();
  const Blocks segment = split(vector, segments);
  const bool has_lower = r > 0 && r <= root, has_higher = r < p - 1 && r >= root;
  const int delay = has_lower || has_higher ? 1 : 0;  // a segment is sent the round after it came
  for (int t = 0; t < segments + delay; ++t) {
    b.round();
    if (has_lower && t < segments) b.recv_reduce(segment[t], g.at(r - 1), Side::left);
    if (has_higher && t < segments) b.recv_reduce(segment[t], g.at(r + 1), Side::right);
    if (r != root && t >= delay) b.send(segment[t - delay], g.at(r < root ? r + 1 : r - 1));
  }
}

}  // namespace tutti::core
