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

}  // namespace tutti
