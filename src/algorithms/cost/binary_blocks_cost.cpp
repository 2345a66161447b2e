// What binary blocks cost.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/cost/after.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

namespace {

/// The binary blocks of p, the largest first, and the times of their parts.
struct Blocks2005 {
  struct Block {
    int size;
    double scattered;  // its own reduce-scatter is done
    double message;    // one segment from the next smaller block
    double combine;    // ... combined
  };
  std::vector<Block> blocks;
  const Rates& rates;
  double n;

  Blocks2005(int p, double bytes, const Rates& r) : rates(r), n(bytes) {
    for (int size = power_of_two_below(p); size > 0; size /= 2) {
      if ((p & size) == 0) continue;
      double time = 0;
      for (int parts = 2; parts <= size; parts *= 2)
        time += exchange(rates, n / parts) + n / parts * rates.gamma;
      blocks.push_back({size, time, one_way(rates, n / size), n / size * rates.gamma});
    }
  }

  int count() const { return static_cast<int>(blocks.size()); }
  int ratio(int i) const { return blocks[i].size / blocks[i + 1].size; }

  /// When a place of block i has its intermediate result, as a function of that time of the place
  /// in block i + 1 that sends to it as the `turn`-th of its messages.
  After handed_up(int i, int turn) const {
    return After{blocks[i].scattered, 0} + ((turn + 1) * blocks[i].message + blocks[i].combine);
  }
  /// The same as a time, for a place of block i.
  double result(int i, int place) const {
    if (i + 1 == count()) return blocks[i].scattered;
    const int below = blocks[i + 1].size;
    return handed_up(i, place / below).at(result(i + 1, place % below));
  }
  /// Vector doubling inside a block, from parts of n / from to parts of n / to.
  double doubling(int from, int to) const {
    double time = 0;
    for (int parts = from; parts > to; parts /= 2) time += exchange(rates, n / parts);
    return time;
  }
};

}  // namespace

double reduce_binary_blocks_cost(int p, Rank root, double n, const Rates& rates) {
  const Blocks2005 all(p, n, rates);
  const int largest = all.blocks[0].size;
  double start = all.result(0, largest - 1);
  if (root >= largest) {
    // The root has handed up its own part before it gets the segment of rank 0.
    int i = 1, place = root - largest;
    while (place >= all.blocks[i].size) place -= all.blocks[i++].size;
    const double sent = std::max(all.result(i, place), all.blocks[i - 1].scattered) +
                        all.ratio(i - 1) * all.blocks[i - 1].message;
    start = std::max(start, std::max(sent, all.result(0, 0)) + one_way(rates, n / largest));
  }
  return start + floor_log2(largest) * rates.alpha_uni +
         (largest - 1.0) / largest * n * rates.beta_uni;
}

double allreduce_binary_blocks_cost(int p, double n, const Rates& rates) {
  const Blocks2005 all(p, n, rates);
  // Times of a place as functions of when its intermediate result was there. A place of block i + 1
  // gets its halves from two places of block i that got the last two of its messages, or as late as
  // these after the exchanges so far.
  After begins = After::self();  // collecting in block i
  double last = 0;
  for (int i = 0; i + 1 < all.count(); ++i) {
    const int below = all.blocks[i + 1].size, ratio = all.ratio(i);
    const double collected = all.doubling(all.blocks[i].size, 2 * below);
    const After lower = begins.of(all.handed_up(i, ratio - 2)) + collected;
    const After upper = begins.of(all.handed_up(i, ratio - 1)) + collected;
    const After sent = After{all.blocks[i].scattered, 0} + ratio * all.blocks[i].message;
    const double half = one_way(rates, n / (2 * below));
    begins = max(max(sent, lower) + half, upper) + half;
    last = std::max(last, begins.at(all.result(i + 1, below - 1)) + all.doubling(2 * below, 1));
  }
  const int smallest = all.count() - 1;
  return std::max(
      last, begins.at(all.blocks[smallest].scattered) + all.doubling(all.blocks[smallest].size, 1));
}

}  // namespace tutti::core
