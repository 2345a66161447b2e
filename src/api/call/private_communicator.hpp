// Communicators behind the program's back.

#pragma once

#include <mpi.h>

#include <cstdint>

namespace tutti::core {

/// What the ranks of a communicator agree on before they make another of it.
struct Agreement {
  bool has_room = false;     // all may have one more
  std::int64_t number = -1;  // that all have named; -1: not all the same
  bool all_want = false;     // what they were asked
};
/// All ranks call it when they have met (operation.hpp), with a number that they may have in
/// common, or -1, and whether they want something that all must.
Agreement agree(MPI_Comm comm, std::int64_t number = -1, bool wants = false);

/// A communicator over the same group, and a number that all its ranks know it by; null, and why,
/// on all if there can be none. Made without duplicating, which would run the program's own copy
/// callbacks. All ranks call it when they have agreed.
MPI_Comm make_private(MPI_Comm comm, const Agreement& agreed, std::int64_t& number,
                      const char*& why);

/// The communicator of those ranks of another that name the same part, in the order of their
/// places; the other itself if that is so already. Collective; null on all if there is none, and
/// why.
MPI_Comm make_part(MPI_Comm comm, int part, int place, const char*& why);

/// Frees one that was made here, and is not the other itself.
void free_private(MPI_Comm made);

}  // namespace tutti::core
