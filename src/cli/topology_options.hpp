#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tutti::core::cli {

/// What `tutti topology` is asked to show.
struct TopologyOptions {
  std::string mpi;
  bool json = false;
};

/// Adds the verb. The command and the program that runs under an MPI read the same words.
CLI::App* add_topology_options(CLI::App& app, TopologyOptions& options);

}  // namespace tutti::core::cli
