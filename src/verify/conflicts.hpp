#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schedule/match.hpp"
#include "topology/mesh.hpp"

namespace tutti::core {

/// Who sends to whom.
using Ends = std::pair<Rank, Rank>;

/// The messages that are under way together: [0] are those of step 1 (see Steps). The schedules
/// must be complete, matched and free of deadlock.
std::vector<std::vector<Ends>> messages_by_step(const std::vector<Schedule>& schedules);

/// Several messages of one step that need the same link.
struct Conflict {
  int step = 0;  // from 1 on
  Link link;
  std::vector<Ends> messages;  // at least two
};

/// What the links carry in one step.
struct Load {
  int messages = 0;
  int links = 0;      // that carry any
  int largest = 0;    // messages on one link
  int conflicts = 0;  // links that carry several
};

/// What messages do to each other on a mesh whose links are full duplex.
///
/// Which messages are under way together is what Steps say: every rank goes on as soon as its round
/// is over, a message starts when both of its ends are there, and all take one step. That is the
/// view of those who show that trees and rings have no conflicts on a linear array ("at each
/// stage"). The number of a round on one rank says nothing of it: a leaf of a tree sends in its
/// first round, however late its parent's turn comes. A barrier's messages count, too,
/// though they hold no data.
struct Traffic {
  std::vector<Load> steps;  // [0] is step 1
  /// The first ones, in the order of steps.
  std::vector<Conflict> first;

  std::size_t messages() const;
  std::size_t conflicts() const;
  /// The most links that are busy at a time, and the most messages on one.
  int links() const;
  int largest() const;
};

/// Follows all messages of complete schedules, which must be matched and free of deadlock, and
/// keeps the first `most` conflicts. Throws std::invalid_argument unless the mesh has as many
/// ranks.
Traffic traffic_on(const Mesh& mesh, const std::vector<Schedule>& schedules, std::size_t most = 5);

/// `step 3, link 4 -> 5: 2 -> 6 and 4 -> 7`
std::string describe(const Mesh& mesh, const Conflict& conflict);

}  // namespace tutti::core
