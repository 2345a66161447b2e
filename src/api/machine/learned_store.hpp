// What programs learned while they ran, kept for the next run.

#pragma once

#include <optional>

#include "select/learning/store.hpp"
#include "select/profiles.hpp"

namespace tutti::core {

/// Remembers what was learned. When the MPI is finalized rank 0 of the world stores what it
/// remembers, in the user's cache, in a file for this host and MPI: added to what is there.
void store_learned(Learned learned);

/// What earlier runs stored for this host and MPI, as it is found; none if there is nothing.
std::optional<FoundProfile> stored_profile();

}  // namespace tutti::core
