// Butterflies: vector halving and doubling over 2^k places.

#include "algorithms/pattern/butterfly.hpp"

#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

SegmentRun segments_after(int segments, int x, int steps) {
  SegmentRun run{0, segments};
  for (int k = 0; k < steps; ++k) {
    const int mid = (run.lo + run.hi) / 2;
    (x >> k & 1 ? run.lo : run.hi) = mid;
  }
  return run;
}

void butterfly_reduce_scatter(Builder& b, const Group& g, const Blocks& segments) {
  const int x = g.rank();
  for (int k = 0; 1 << k < g.size(); ++k) {
    const int partner = x ^ 1 << k;
    const SegmentRun mine = segments_after(segments.size(), x, k + 1);
    const SegmentRun theirs = segments_after(segments.size(), partner, k + 1);
    b.round();
    b.send(segments.range(theirs.lo, theirs.hi), g.at(partner));
    b.recv_reduce(segments.range(mine.lo, mine.hi), g.at(partner),
                  partner < x ? Side::left : Side::right);
  }
}

void butterfly_allgather_step(Builder& b, const Group& g, const Blocks& segments, int step) {
  const int x = g.rank(), partner = x ^ 1 << step;
  const SegmentRun mine = segments_after(segments.size(), x, step + 1);
  const SegmentRun theirs = segments_after(segments.size(), partner, step + 1);
  b.round();
  b.send(segments.range(mine.lo, mine.hi), g.at(partner));
  b.recv(segments.range(theirs.lo, theirs.hi), g.at(partner));
}

void butterfly_allgather(Builder& b, const Group& g, const Blocks& segments) {
  for (int k = ceil_log2(g.size()); k-- > 0;) butterfly_allgather_step(b, g, segments, k);
}

void butterfly_gather(Builder& b, const Group& g, const Blocks& segments, int root) {
  const int x = g.rank();
  for (int k = ceil_log2(g.size()); k-- > 0;) {
    const int partner = x ^ 1 << k;
    b.round();
    if ((x ^ root) >> k & 1) {
      const SegmentRun mine = segments_after(segments.size(), x, k + 1);
      return b.send(segments.range(mine.lo, mine.hi), g.at(partner));
    }
    const SegmentRun theirs = segments_after(segments.size(), partner, k + 1);
    b.recv(segments.range(theirs.lo, theirs.hi), g.at(partner));
  }
}

}  // namespace tutti::core
