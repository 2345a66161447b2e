// The verbs of the tutti command that need an MPI: `tutti` starts this program in its own place.

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <optional>

#include "cli/commands.hpp"
#include "cli/mpi/verbs.hpp"

namespace tutti::core::cli {
namespace {

/// What is left to tell when the MPI has been finalized; empty: nothing.
std::optional<TraceOptions> traced;

int run(int argc, char** argv) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CLI::App app("The verbs of tutti that need an MPI.", "tutti");
  app.require_subcommand(1);
  BenchOptions bench;
  TopologyOptions topology;
  TuneOptions tune;
  TraceOptions trace;
  add_bench_options(app, bench);
  const CLI::App* const topology_verb = add_topology_options(app, topology);
  const CLI::App* const tune_verb = add_tune_options(app, tune);
  const CLI::App* const trace_verb = add_trace_options(app, trace);
  try {
    app.parse(argc, argv);
    if (trace_verb->parsed()) {
      const int status = run_trace(trace);
      if (rank == 0) traced = trace;
      return status;
    }
    if (tune_verb->parsed()) return run_tune(tune);
    return topology_verb->parsed() ? run_topology(topology) : run_bench(bench, argc, argv);
  } catch (const CLI::Success& help) {
    if (rank == 0) app.exit(help);
    return fine;
  } catch (const std::exception& error) {
    if (rank == 0) std::cerr << "tutti: " << error.what() << "\n";
    return bad_input;
  }
}

}  // namespace
}  // namespace tutti::core::cli

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = tutti::core::cli::run(argc, argv);
  MPI_Finalize();
  return tutti::core::cli::traced ? tutti::core::cli::tell_trace(*tutti::core::cli::traced)
                                  : status;
}
