// K-nomial reduce: the broadcast's tree backwards; ranges are contiguous, so the rank order is
// kept.
//
//   valid    any p, any operator
//   rounds   ceil(log p), to the base radix
//   cost     at most (radix-1) rounds (alpha_uni + n beta_uni + n gamma)
//   scratch  at most n
//   source   baseline
//
// A root's own operand stands in the middle: lower parts join on its left from the nearest down,
// higher parts on its right from the nearest up.

#include <algorithm>
#include <ranges>

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti::core {

void reduce_knomial(Builder& b, const Group& g, int root, const Slice& vector, int radix) {
  const std::vector<Splitting> levels = splittings(g.size(), root, radix, g.rank());
  for (const Splitting& level : std::views::reverse(levels)) {
    b.round();
    if (g.rank() != level.root) {
      b.send(vector, g.at(level.root));
      continue;
    }
    for (const PlaceRange& part : std::views::reverse(level.others))
      if (part.from < level.root) b.recv_reduce(vector, g.at(part.from), Side::left);
    for (const PlaceRange& part : level.others)
      if (part.from > level.root) b.recv_reduce(vector, g.at(part.from), Side::right);
  }
}

}  // namespace tutti::core
