#pragma once

#include <mpi.h>

#include <cstddef>

namespace tutti::core {

/// A communicator of this process alone that returns errors: for packing, copying and asking, where
/// an error is raised later on the communicator of the call.
MPI_Comm quiet_self();

/// Copies elements of a datatype; bytes that are not of its map are left alone. Returns the MPI's
/// error code.
int copy_typed(const void* from, void* to, std::size_t count, MPI_Datatype type, std::size_t size,
               std::ptrdiff_t extent);

}  // namespace tutti::core
