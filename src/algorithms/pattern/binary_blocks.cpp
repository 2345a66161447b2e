// Binary blocks: reduce-scatter over runs of 2^k places.

#include "algorithms/pattern/binary_blocks.hpp"

#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/butterfly.hpp"

namespace tutti::core {

Group BinaryBlock::group(const Group& g) const {
  std::vector<Rank> members(size);
  for (int i = 0; i < size; ++i) members[i] = g.at(start + i);
  return Group(std::move(members), g.at(g.rank()));
}

BinaryBlocks::BinaryBlocks(int p, int r) {
  int start = 0;
  for (int size = power_of_two_below(p); size > 0; size /= 2) {
    if ((p & size) == 0) continue;
    const BinaryBlock block{start, size};
    start += size;
    if (r >= start) {
      larger = block;
    } else if (mine.size == 0) {
      mine = block;
    } else {
      smaller = block;
      return;
    }
  }
}

void binary_blocks_reduce_scatter(Builder& b, const Group& g, const Blocks& segments) {
  const BinaryBlocks blocks(g.size(), g.rank());
  const int x = g.rank() - blocks.mine.start;
  butterfly_reduce_scatter(b, blocks.mine.group(g), segments);

  // Place x of a block works on a part of what place x mod 2^k of a block of 2^k works on.
  const auto part_of = [&](int place, int size) {
    const SegmentRun run = segments_after(segments.size(), place, floor_log2(size));
    return segments.range(run.lo, run.hi);
  };
  if (blocks.smaller.size > 0) {
    b.round();
    b.recv_reduce(part_of(x, blocks.mine.size),
                  g.at(blocks.smaller.start + x % blocks.smaller.size), Side::right);
  }
  b.round();
  for (int y = x; y < blocks.larger.size; y += blocks.mine.size)
    b.send(part_of(y, blocks.larger.size), g.at(blocks.larger.start + y));
}

}  // namespace tutti::core
