#pragma once

#include <algorithm>
#include <vector>

#include "algorithms/asked.hpp"

namespace tutti::core {

/// The places [from, to).
struct PlaceRange {
  int from, to;
};

/// One level of a tree by range splitting: `root` speaks for a range of places, which is split into
/// parts; `others` are those it is not in: their first places become their roots.
struct Splitting {
  int root;
  std::vector<PlaceRange> others;  // ascending
};

/// Where part i of `parts` begins in a range of m places: sizes differ by at most one.
inline int part_begin(int m, int parts, int i) {
  return static_cast<int>((static_cast<long>(i) * m + parts - 1) / parts);
}

/// The levels in which place r takes part, from the whole range [0, p) down. Ranges stay
/// contiguous, so a reduction keeps the rank order for any root.
inline std::vector<Splitting> splittings(int p, int root, Radix radix, int r) {
  std::vector<Splitting> levels;
  for (int lo = 0, hi = p; hi - lo > 1;) {
    const int m = hi - lo, parts = std::min(radix.value, m);
    Splitting level{root, {}};
    int mine = root, from = lo, to = hi;
    for (int i = 0; i < parts; ++i) {
      const int begin = from + part_begin(m, parts, i), end = from + part_begin(m, parts, i + 1);
      const int head = root >= begin && root < end ? root : begin;
      if (head != root) level.others.push_back({begin, end});
      if (r >= begin && r < end) mine = head, lo = begin, to = end;
    }
    if (r == mine) levels.push_back(level);
    hi = to, root = mine;
  }
  return levels;
}

/// The end of the range that place r speaks for: [r, end), unless r is the root of all.
inline int part_end(int p, int root, Radix radix, int r) {
  for (const Splitting& level : splittings(p, root, radix, r))
    for (const PlaceRange& part : level.others)
      if (part.from == r && level.root != r) return part.to;
  return r + 1;
}

}  // namespace tutti::core
