#pragma once

#include <mpi.h>

#include "model/profile.hpp"

namespace tutti::core {

/// What so many cores of a node get out of its interface at once, in terms of one: ranks 2i and
/// 2i + 1 of the communicator are on two nodes, and their pairs exchange messages, one pair first,
/// at last all. Rank 0's profile gets it. Collective.
void measure_interface(MPI_Comm comm, Profile& profile);

}  // namespace tutti::core
