// The trace of all ranks: when it begins, and how communicators and calls are known in it.

#pragma once

#include <mpi.h>

#include <cstdint>

#include "api/watch/table.hpp"
#include "execute/recorder.hpp"

namespace tutti::core {

/// Compares clocks and begins to record, if the settings ask for it; when the MPI is finalized rank
/// 0 writes what all ranks have noted. Every process of the world must come here, with the same
/// settings; after the first time it does nothing.
void trace_world();

/// Stops and goes on; see tutti_trace.
void switch_trace(bool on);

/// A number for a communicator that all its ranks know it by; -1 if nothing is to be recorded.
/// Collective over `comm`, a communicator over the same group; null for one rank.
std::int64_t trace_id(MPI_Comm comm);

/// The name of calls of a row.
std::uint32_t trace_label(Recorder& to, const ExplainRow& row);

}  // namespace tutti::core
