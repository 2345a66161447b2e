#pragma once

#include "cli/bench_options.hpp"
#include "cli/topology_options.hpp"
#include "cli/trace_options.hpp"
#include "cli/tune_options.hpp"

namespace tutti::core::cli {

/// What shells give for a process that Ctrl-C ended.
inline constexpr int interrupted_status = 130;

/// The verbs that need an MPI. Collective over MPI_COMM_WORLD; throw as the other verbs do, the
/// message on rank 0.
int run_topology(const TopologyOptions& options);
int run_tune(const TuneOptions& options);
int run_trace(const TraceOptions& options);
int run_bench(const BenchOptions& options, int argc, char** argv);

/// What stands in the trace, after the MPI has been finalized: on rank 0.
int tell_trace(const TraceOptions& options);

}  // namespace tutti::core::cli
