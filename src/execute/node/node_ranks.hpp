#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/slice.hpp"

namespace tutti::core {

/// The ranks of a communicator that live on this one's node. A rank's place there is where it
/// stands among them.
class NodeRanks {
 public:
  NodeRanks() = default;
  /// In their order.
  explicit NodeRanks(std::vector<Rank> ranks) : ranks_(std::move(ranks)) {}

  int size() const { return static_cast<int>(ranks_.size()); }
  const std::vector<Rank>& ranks() const { return ranks_; }
  /// -1: it lives elsewhere.
  int place_of(Rank rank) const {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    return found != ranks_.end() && *found == rank ? static_cast<int>(found - ranks_.begin()) : -1;
  }

 private:
  std::vector<Rank> ranks_;
};

}  // namespace tutti::core
