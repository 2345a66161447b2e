#pragma once

#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

/// The binary-block decomposition of a group (2005 paper, section 5.2): runs of 2^k places, the
/// largest first, as the bits of p say.
struct BinaryBlock {
  int start = 0, size = 0;  // size 0: there is none
  Group group(const Group& g) const;
};

/// The block of place r, and its neighbours in size.
struct BinaryBlocks {
  BinaryBlock larger, mine, smaller;
  BinaryBlocks(int p, int r);
};

/// Every block reduces and scatters for itself; then, from the smallest up, each hands its
/// intermediate result to the next larger one. The largest block ends with the result, scattered as
/// by a butterfly.
void binary_blocks_reduce_scatter(Builder& b, const Group& g, const Blocks& segments);

}  // namespace tutti::core
