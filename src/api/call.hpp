#pragma once

#include <mpi.h>

#include "api/communicator.hpp"

namespace tutti {

/// Runs a call through a plan, found or made. Returns an MPI error code, raised on the user's
/// communicator already.
int run(CommunicatorState& state, MPI_Comm comm, const Call& call, const Elements& elements,
        const Binding& binding);

/// The collective is left to the MPI, by a setting.
bool is_off(Collective collective);
/// Notes a call that the MPI's own function does.
void count_native(Collective collective);

/// How often this process ran an algorithm ("native" too).
unsigned long long calls_of(Collective collective, std::string_view algorithm);
/// Forces an algorithm from now on; empty: lifts it. Throws std::invalid_argument.
void force(Collective collective, std::string_view text);

}  // namespace tutti
