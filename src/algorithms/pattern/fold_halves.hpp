#pragma once

#include "algorithms/pattern/fold.hpp"
#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"

namespace tutti {

/// The first step of the 2005 paper's section 5.1: in each pair the even rank combines the first
/// half of the vector and the odd rank the second; then one of them sends its half to the other,
/// which goes on with the whole. `survivors` says who.
inline void fold_halves(Builder& b, const Group& g, const Fold& fold, const Group& survivors,
                        const Blocks& segments) {
  const int r = g.rank();
  if (!fold.pairs(r)) return;
  const Rank partner = g.at(r ^ 1);
  const Slices first = segments.range(0, segments.size() / 2);
  const Slices second = segments.range(segments.size() / 2, segments.size());
  const bool even = r % 2 == 0;
  const Slices &mine = even ? first : second, &theirs = even ? second : first;
  b.round();
  b.send(theirs, partner);
  b.recv_reduce(mine, partner, even ? Side::right : Side::left);
  b.round();
  if (survivors.has_me())
    b.recv(theirs, partner);
  else
    b.send(mine, partner);
}

}  // namespace tutti
