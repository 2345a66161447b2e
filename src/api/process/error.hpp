// How errors reach the program: through its own handler.

#pragma once

#include <mpi.h>

#include <string>

namespace tutti::core {

/// Raises an error of Tutti's own on a communicator: the program's handler sees it,
/// MPI_Error_string gives the message, and rank 0 prints it. Returns the code.
int raise_error(MPI_Comm comm, const std::string& message);

/// Raises an MPI error, met on a communicator of our own, on the program's.
int raise_code(MPI_Comm comm, int code);

}  // namespace tutti::core
