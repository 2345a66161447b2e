#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "topology/topology.hpp"

namespace tutti {

/// By rank: its place among those that share this one's node, as the MPI sees it; -1: it is on
/// another. All -1 if the MPI cannot tell all ranks.
std::vector<int> places_on_node(MPI_Comm comm, int p, Rank rank);

/// Where the ranks of a communicator live: as `places` of all ranks tell, or as TUTTI_TOPOLOGY
/// pretends of the world. All ranks call it.
std::shared_ptr<const Topology> topology_of(MPI_Comm comm, const std::vector<int>& places,
                                            Rank rank);

/// How many of the world's ranks the launcher has put on this node; 0: it does not tell. Those of
/// other communicators want cores, too.
int ranks_of_node();

/// How many cores the communicator's ranks of a node have, where they have fewest; 0: one for each.
/// All ranks call it.
int cores_of_node(MPI_Comm comm, const std::vector<int>& places);

}  // namespace tutti
