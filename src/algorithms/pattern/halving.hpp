#pragma once

#include <cstdint>
#include <vector>

namespace tutti::core {

/// One level of the minimum spanning tree by range halving: `root` speaks for a range of places;
/// `other`, the first place of the half it is not in, becomes the root of that half, [from, to).
struct Halving {
  int root, other;
  int from, to;
};

/// The levels in which place r takes part, from the whole range [0, p) down. Ranges stay
/// contiguous, so a reduction keeps the rank order for any root, and a scatter sends one slice.
inline std::vector<Halving> halvings(int p, int root, int r) {
  std::vector<Halving> levels;
  for (int lo = 0, hi = p; hi - lo > 1;) {
    const int mid = lo + (hi - lo + 1) / 2;
    const Halving level = root < mid ? Halving{root, mid, mid, hi} : Halving{root, lo, lo, mid};
    if (r == level.root || r == level.other) levels.push_back(level);
    if (r >= level.from && r < level.to) {
      lo = level.from, hi = level.to, root = level.other;
    } else {
      (level.from == lo ? lo : hi) = level.from == lo ? level.to : level.from;
    }
  }
  return levels;
}

/// Where counts run through the tree ahead of the data, each takes so many bytes.
inline constexpr std::size_t bytes_per_count = sizeof(std::uint64_t);

/// The end of the range that place r speaks for: [r, end), unless r is the root of all.
inline int subtree_end(int p, int root, int r) {
  for (const Halving& level : halvings(p, root, r))
    if (level.other == r) return level.to;
  return r + 1;
}

}  // namespace tutti::core
