// Where the ranks of a communicator live, and what cores they have.

#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "topology/topology.hpp"

namespace tutti::core {

/// This rank's node, as the MPI sees it.
struct Node {
  /// By rank: its place among those that share the node; -1: it is on another. All -1 if the MPI
  /// cannot tell all ranks.
  std::vector<int> places;
  int size = 0;        // how many of them there are
  int neighbours = 0;  // with those of the world outside the communicator, who want cores, too
  int cores = 0;       // that they may all run on; 0: the system does not tell

  bool is_crowded() const { return neighbours > cores; }
};

/// All ranks of the communicator call it.
Node node_of(MPI_Comm comm, int p, Rank rank);

/// Where the ranks of a communicator live: as `places` of all ranks tell, or as TUTTI_TOPOLOGY
/// pretends of the world. All ranks call it.
std::shared_ptr<const Topology> topology_of(MPI_Comm comm, const std::vector<int>& places,
                                            Rank rank);

/// How many cores the communicator's ranks of a node have, where they have fewest; 0: one for each.
/// All ranks call it.
int fewest_cores(MPI_Comm comm, const Node& node);

}  // namespace tutti::core
