#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "schedule/slice.hpp"

namespace tutti::core {

/// An ordered list of ranks that a part of a schedule runs over, and this rank's place in it.
class Group {
 public:
  /// All p ranks, in order.
  static Group all(int p, Rank rank) { return Group(p, rank); }

  /// The ranks listed, as `rank` sees them; it need not be one of them (see has_me).
  Group(std::vector<Rank> members, Rank rank)
      : members_(std::move(members)), size_(static_cast<int>(members_.size())) {
    while (place_ < size_ && members_[place_] != rank) ++place_;
  }

  Group(std::span<const Rank> members, Rank rank)
      : Group(std::vector<Rank>(members.begin(), members.end()), rank) {}

  int size() const { return size_; }
  /// This rank's place in the group; size() if it is not a member.
  int rank() const { return place_; }
  bool has_me() const { return place_ < size_; }
  /// The rank at place i.
  Rank at(int i) const { return members_.empty() ? i : members_[i]; }

 private:
  Group(int p, Rank rank) : size_(p), place_(rank) {}

  std::vector<Rank> members_;  // empty: 0, 1, 2, ...
  int size_ = 0;
  int place_ = 0;
};

}  // namespace tutti::core
