#pragma once

#include <mpi.h>

#include <string>

#include "measure/grid.hpp"
#include "topology/topology.hpp"

namespace tutti::cli {

/// Why a cell cannot be measured for want of memory: that of the hosts does not hold the buffers of
/// their ranks, what they are compared with, and what a call takes; empty if it does. `native`:
/// including a call of the MPI's own. Collective.
std::string lack_of_room(MPI_Comm comm, const Cell& cell, const Topology& topology, bool native);

}  // namespace tutti::cli
