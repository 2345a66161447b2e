#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "execute/node/node_ranks.hpp"
#include "schedule/schedule.hpp"

namespace tutti::core {

/// A schedule made ready to run: who must wait for whom, derived from the slices that actions read
/// and write. Rounds disappear; what remains is the order they meant.
///
/// A message may need a place of its own in memory, its staging: to combine what comes, or because
/// its slices do not touch. Staging is a fourth buffer, bounded: messages that share a place wait
/// too.
struct Program {
  static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

  struct Vertex {
    Kind kind = Kind::copy;
    Side side = Side::left;
    bool staged = false;
    bool is_streamed = false;  // a vertex that streams reads what this one receives
    Rank peer = -1;
    std::uint32_t first = 0, last = 0;            // slices sent, received or written
    std::uint32_t from_first = 0, from_last = 0;  // slices that reduce and copy read
    std::size_t count = 0;                        // elements
    std::size_t staging = 0;                      // offset, in elements
    /// How many vertices must be complete before it may be posted, and before what came may be
    /// used.
    std::uint32_t before_post = 0, before_work = 0;
    std::uint32_t first_after = 0, last_after = 0;    // in `after`
    std::uint32_t first_source = 0, last_source = 0;  // in `sources`: what it streams from
    std::uint32_t queue = none;                       // messages only
    std::uint32_t next_in_queue = none;
  };
  /// How a vertex waits for this one: with all of it, or with what came of it, or, a send that
  /// needs none of that, piece by piece.
  enum class Wait : std::uint8_t { to_post, to_work, to_stream };
  struct After {
    std::uint32_t vertex;
    Wait wait;
  };

  /// The same elements stand in both messages.
  bool sends_same(const Vertex& one, const Vertex& other) const {
    return one.count == other.count &&
           std::equal(slices.begin() + one.first, slices.begin() + one.last,
                      slices.begin() + other.first, slices.begin() + other.last);
  }

  std::vector<Slice> slices;
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> rounds;  // of each vertex: that of the schedule
  std::vector<After> after;
  std::vector<std::uint32_t> sources;
  /// Messages that are posted in their order: all that are sent, and all that come from one rank.
  /// The first of each queue. Who sends and who receives must see the same order; and a rank that
  /// sends to many at once would serve the first as late as the last.
  std::vector<std::uint32_t> queues;
  std::vector<std::uint32_t> start;  // wait for nobody
  std::size_t staging = 0;           // elements
};

/// Compiles the rounds from `first_round` on. Staging takes at most `most_staging` elements, unless
/// one round alone needs more. In step, a receive waits for those of the rounds before it, from
/// whomever, unless all sends go to one rank: then the rank streams. What comes from those who are
/// `near` is put where it belongs, or combined, when it is taken, and needs no staging.
Program compile(const Schedule& schedule, std::size_t first_round, std::size_t most_staging,
                bool in_step = false, const NodeRanks& near = {});

}  // namespace tutti::core
