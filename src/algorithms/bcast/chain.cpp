// Pipelined chain broadcast: k segments pass from each rank to the next.
//
//   valid    any p
//   rounds   p - 2 + k
//   cost     (p-2 + k) (alpha + n/k beta), k = n / segment; first and last one way
//   scratch  none
//   source   Träff et al. 2008, 2.2 (its degenerate case)
//
// In round t the rank at distance d from the root receives segment t-d+1 and sends segment t-d.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void bcast_chain(Builder& b, const Group& g, int root, const Slice& vector, int segments) {
  const int p = g.size(), distance = wrap(g.rank() - root, p);
  const Rank before = g.at(wrap(g.rank() - 1, p)), behind = g.at(wrap(g.rank() + 1, p));
  const Blocks segment = split(vector, segments);
  const int delay = distance == 0 ? 0 : 1;  // a segment is sent the round after it came
  for (int t = 0; t < segments + delay; ++t) {
    b.round();
    if (distance > 0 && t < segments) b.recv(segment[t], before);
    if (distance < p - 1 && t >= delay) b.send(segment[t - delay], behind);
  }
}

}  // namespace tutti::core
