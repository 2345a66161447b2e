// Binary-blocks allreduce.
//
// After the reduce-scatter the largest block collects the result by vector doubling. As soon as its
// parts are half of what a rank of the next smaller block begins with, each of those gets its two
// halves and collects in its own block, and so on.

#include "algorithms/pattern/binary_blocks.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_binary_blocks(Builder& b, const Group& g, const Slice& vector) {
  const BinaryBlocks blocks(g.size(), g.rank());
  const Group block = blocks.mine.group(g);
  const int x = block.rank(), larger = blocks.larger.start, smaller = blocks.smaller.size;
  const Blocks segments = split(vector, power_of_two_below(g.size()));
  const auto part_of = [&](int place, int steps) {
    const SegmentRun run = segments_after(segments.size(), place, steps);
    return segments.range(run.lo, run.hi);
  };

  binary_blocks_reduce_scatter(b, g, segments);

  if (blocks.larger.size > 0) {
    const int steps = floor_log2(blocks.mine.size) + 1;
    b.round();
    b.recv(part_of(x, steps), g.at(larger + x));
    b.recv(part_of(x + blocks.mine.size, steps), g.at(larger + x + blocks.mine.size));
  }
  for (int k = floor_log2(blocks.mine.size); k >= 0; --k) {
    if (smaller > 0 && 1 << k == 2 * smaller && x < 2 * smaller) {
      b.round();
      b.send(part_of(x, k), g.at(blocks.smaller.start + x % smaller));
    }
    if (k > 0) butterfly_allgather_step(b, block, segments, k - 1);
  }
}

}  // namespace

Rows allreduce_binary_blocks_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "blocks of 2^k ranks; equals rabenseifner at 2^k",
      .valid = any,
      .rounds = {"2q", [](S s) { return 2 * s.q(); }},
      .cost = {"as rabenseifner (2^k); else delta_expo_max decides",
               [](S s, R r) { return allreduce_binary_blocks_cost(s.p, s.n, r); }},
      .scratch = {"none", none},
      .source = "Thakur, Rabenseifner, Gropp 2005, 5.2, Figure 13",
      .generate = adapt::allreduce<allreduce_binary_blocks>,
  }};
}

}  // namespace tutti::core
