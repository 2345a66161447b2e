#pragma once

#include <vector>

#include "algorithms/pattern/arithmetic.hpp"
#include "schedule/group.hpp"

namespace tutti {

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

}  // namespace tutti
