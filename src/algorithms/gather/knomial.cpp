// K-nomial gather: the scatter's tree backwards.
//
//   valid    any p
//   rounds   ceil(log p), to the base radix
//   cost     at most (radix-1) rounds alpha_uni + (p-1)/p n beta_uni (root 0)
//   scratch  less than n/2
//   source   baseline

#include <ranges>

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti::core {

void gather_knomial(Builder& b, const Group& g, int root, const Blocks& blocks, int radix) {
  const std::vector<Splitting> levels = splittings(g.size(), root, radix, g.rank());
  for (const Splitting& level : std::views::reverse(levels)) {
    b.round();
    for (const PlaceRange& part : level.others)
      if (g.rank() == level.root)
        b.recv(blocks.range(part.from, part.to), g.at(part.from));
      else if (g.rank() == part.from)
        b.send(blocks.range(part.from, part.to), g.at(level.root));
  }
}

}  // namespace tutti::core
