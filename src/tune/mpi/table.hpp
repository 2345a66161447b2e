#pragma once

#include <mpi.h>

#include "model/profile.hpp"
#include "tune/decide.hpp"

namespace tutti::core {

/// Puts a row for each collective on the communicator's topology into the profile's decision table,
/// in place of what was there. The model ranks all candidates; those that lie within its error, and
/// the MPI's own, are measured in turns, who is clearly slower leaves, the others are measured more
/// often. Collective; the profile, the same on all ranks before, is so afterwards; of options rank
/// 0's count. Throws on all ranks alike.
Decided decide(MPI_Comm comm, Profile& profile, const DecideOptions& options);

}  // namespace tutti::core
