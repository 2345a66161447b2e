#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/grid.hpp"

namespace tutti::core::cli {

/// What `tutti trace` is asked to record: a collective, or a program, whose words are not its own.
struct TraceOptions {
  std::string collective, size, distribution, type, file = "trace.json", mpi;
  std::vector<std::string> algorithms;
  std::optional<int> root;
  int repetitions = 1;
};

/// Adds the verb. The command and the program that runs under an MPI read the same words.
CLI::App* add_trace_options(CLI::App& app, TraceOptions& options);

/// The words as values. Throws std::invalid_argument.
struct TracePlan {
  Cell cell;                            // its p is for the MPI to tell
  std::vector<std::string> algorithms;  // with their collective; `native`; empty: Tutti's choice
};
TracePlan plan_of(const TraceOptions& options);

}  // namespace tutti::core::cli
