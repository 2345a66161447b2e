// Whether all ranks make the same call, which TUTTI_CHECK asks for.

#pragma once

#include <string>

#include "api/call/communicator.hpp"

namespace tutti::core {

/// Asks all ranks whether they make the same call: collective, root, operator, sizes. Returns what
/// they disagree on, naming the ranks, the same text on all; empty if they agree. `comm`: the
/// program's.
std::string disagreement(Operation& operation, bool described, MPI_Comm comm);

}  // namespace tutti::core
