// Pipelined chain scan and exscan.
//
//   valid    any p, any operator
//   rounds   p - 2 + k
//   cost     (p-2 + k) (alpha + n/k (beta + gamma)), k = n / segment; exscan one combination less
//   scratch  none; exscan n
//   source   the chain of the reduce, whose every rank keeps what it passes on

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void scan_chain(Builder& b, const Group& g, const Slice& result, int segments) {
  const int p = g.size(), r = g.rank();
  const Blocks segment = split(result, segments);
  const int delay = r > 0 ? 1 : 0;  // a segment is sent the round after it came
  for (int t = 0; t < segments + delay; ++t) {
    b.round();
    if (r > 0 && t < segments) b.recv_reduce(segment[t], g.at(r - 1), Side::left);
    if (r < p - 1 && t >= delay) b.send(segment[t - delay], g.at(r + 1));
  }
}

void exscan_chain(Builder& b, const Group& g, const Slice& contribution, const Slice& result,
                  int segments) {
  const int p = g.size(), r = g.rank();
  const bool passes_on = r > 0 && r < p - 1;
  const Slice whole = passes_on ? b.scratch(result.count) : contribution;
  const Blocks exclusive = split(result, segments), inclusive = split(whole, segments);
  b.round();
  if (passes_on) b.copy(contribution, whole);
  for (int t = 0; t < segments + (passes_on ? 1 : 0); ++t) {
    b.round();
    if (r > 0 && t < segments) b.recv(exclusive[t], g.at(r - 1));
    if (r == 0 && p > 1) b.send(inclusive[t], g.at(1));
    if (!passes_on) continue;
    if (t > 0) b.send(inclusive[t - 1], g.at(r + 1));
    b.round();
    if (t < segments) b.reduce(exclusive[t], inclusive[t], Side::left);
  }
}

}  // namespace tutti::core
