#pragma once

#include <vector>

#include "algorithms/pattern/arithmetic.hpp"
#include "schedule/blocks.hpp"
#include "schedule/builder.hpp"
#include "schedule/group.hpp"

namespace tutti::core {

/// Folding p places to a power of two: the first 2 * extra places form pairs (2i, 2i + 1), and one
/// of each pair speaks for both.
struct Fold {
  int kept;   // 2^floor(lg p)
  int extra;  // p - kept

  explicit Fold(int p) : kept(power_of_two_below(p)), extra(p - kept) {}
  bool pairs(int r) const { return r < 2 * extra; }

  /// The places that go on, as a group: the even ones of the pairs or the odd ones; `always` goes
  /// on in place of its partner.
  Group survivors(const Group& g, bool even, int always = -1) const {
    std::vector<Rank> members;
    members.reserve(kept);
    for (int i = 0; i < kept; ++i) {
      int r = i < extra ? 2 * i + (even ? 0 : 1) : i + extra;
      if (i < extra && (r ^ 1) == always) r = always;
      members.push_back(g.at(r));
    }
    return Group(std::move(members), g.at(g.rank()));
  }
};

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

}  // namespace tutti::core
