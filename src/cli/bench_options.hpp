#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/grid.hpp"
#include "model/profile.hpp"

namespace tutti::core::cli {

/// What `tutti bench` is asked to do.
struct BenchOptions {
  std::string grid = "quick", collectives, p, sizes, distributions, types, profile, start, file,
              mpi, kind = "all";
  std::vector<std::string> algorithms;
  double precision = 5, budget = 0, within = 0;
  int repetitions = 0, passes = 0, root = 0;
  bool guidelines = false, regret = false, all = false, samples = false, json = false, csv = false;
};

/// Adds the verb. The command and the program that runs under an MPI read the same words.
CLI::App* add_bench_options(CLI::App& app, BenchOptions& options);

/// The words as values. Throws std::invalid_argument.
struct BenchPlan {
  Grid grid;
  std::vector<int> p;                   // empty: all ranks
  std::vector<std::string> algorithms;  // beside native
  bool flat = true, node_aware = true;  // beside those named, all of this kind
  std::optional<Profile> profile;       // none: measure
};
BenchPlan plan_of(const BenchOptions& options);

}  // namespace tutti::core::cli
