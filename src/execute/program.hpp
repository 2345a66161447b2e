#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti {

/// A schedule made ready to run: who must wait for whom, derived from the slices that actions read
/// and write. Rounds disappear; what remains is the order they meant.
///
/// A message may need a place of its own in memory, its staging: to combine what comes, or because
/// its slices do not touch. Staging is a fourth buffer, bounded: messages that share a place wait
/// too.
struct Program {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  struct Node {
    Kind kind = Kind::copy;
    Side side = Side::left;
    bool staged = false;
    Rank peer = -1;
    std::uint32_t first = 0, last = 0;            // slices sent, received or written
    std::uint32_t from_first = 0, from_last = 0;  // slices that reduce and copy read
    std::size_t count = 0;                        // elements
    std::size_t staging = 0;                      // offset, in elements
    /// How many nodes must be complete before it may be posted, and before what came may be used.
    std::uint32_t before_post = 0, before_work = 0;
    std::uint32_t first_after = 0, last_after = 0;  // in `after`
    std::uint32_t next_of_peer = none;              // may be posted only when this one has been
  };
  /// A node that waits for this one: to be posted, or to work.
  struct After {
    std::uint32_t node;
    bool to_post;
  };

  std::vector<Slice> slices;
  std::vector<Node> nodes;
  std::vector<After> after;
  std::vector<std::uint32_t> start;  // may be posted at once
  std::size_t staging = 0;           // elements
};

/// Compiles the rounds from `first_round` on. Staging takes at most `most_staging` elements, unless
/// one round alone needs more.
Program compile(const Schedule& schedule, std::size_t first_round, std::size_t most_staging);

}  // namespace tutti
