// One record of the world: where each of its ranks lives.

#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "execute/node/node_ranks.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// Where ranks live: the node of each, its domain there, and what the nodes have.
class Homes {
 public:
  struct Node {
    int ranks = 0;  // of those told of here, and of others that the launcher has put there
    int cores = 0;  // that they may all run on; 0: the system does not tell
    bool is_crowded() const { return ranks > cores; }
  };

  /// All ranks of a communicator tell each other: one exchange.
  static Homes gather(MPI_Comm comm);
  /// Those of the ranks listed, which become 0, 1, 2, ...
  Homes of(const std::vector<int>& ranks) const;

  /// Their nodes and domains.
  Topology topology() const;
  const Node& node_of_rank(Rank rank) const {
    return nodes_[static_cast<std::size_t>(node_of_[static_cast<std::size_t>(rank)])];
  }

  /// Those that share a rank's node, itself included.
  NodeRanks neighbours_of(Rank rank) const;
  /// How many cores these ranks have on a node, where they have fewest; 0: one for each.
  int fewest_cores() const;
  /// None of them makes calls of several threads at a time.
  bool call_in_turn() const { return call_in_turn_; }
  /// What no other of their kind has.
  std::uint64_t identity() const { return identity_; }

 private:
  std::vector<int> node_of_;              // by rank; equal numbers mean one node
  std::vector<std::uint16_t> domain_of_;  // there; empty if no node has domains
  std::vector<Node> nodes_;
  bool call_in_turn_ = false;
  std::uint64_t identity_ = 0;
};

/// The world's homes are found out. Every process of the world must come here, with the same
/// settings; after the first time it does nothing.
void meet_world();

/// The world has met: nothing that all of it does when it begins is left to do.
bool has_world_met();

/// It has met, and none of its ranks makes calls of several threads at a time.
bool calls_world_in_turn();

/// Processes of other worlds may be in communicators from now on: spawned, or connected. As long as
/// nobody says that there are none there may be.
void meet_others(bool may_be);

/// All ranks of a communicator have the same settings: those of a world that has met do, the others
/// compare them.
bool is_one_road(MPI_Comm comm);

/// To see whether two communicators have the same ranks an MPI may compare each with all: of more
/// ranks it is not asked.
inline constexpr int most_compared_ranks = 128;

/// The ranks of a communicator as the world numbers them; empty if one of them is of another world.
std::vector<int> in_the_world(MPI_Comm comm);
/// The same. All ranks call it when they have met: where they are many they tell each other.
std::vector<int> told_in_the_world(MPI_Comm comm);

/// Where the ranks of a communicator live: as the world's record says, without a message, or as
/// they tell each other if there is none, or if one of them is not in it. All ranks call it, with
/// what the world says of them.
Homes homes_of(MPI_Comm comm, const std::vector<int>& in_the_world);

/// The communicator's nodes: as its homes are, or as TUTTI_TOPOLOGY pretends of the world.
std::shared_ptr<const Topology> topology_of(const Homes& homes,
                                            const std::vector<int>& in_the_world);

}  // namespace tutti::core
