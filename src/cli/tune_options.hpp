#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schedule/problem.hpp"
#include "topology/mesh.hpp"

namespace tutti::core::cli {

/// What `tutti tune` is asked to do.
struct TuneOptions {
  std::string file, show, mpi, mesh, collectives, sizes, p, budget = "30s";
  bool rates_only = false, exhaustive = false, json = false;
};

/// Adds the verb. The command and the program that runs under an MPI read the same words.
CLI::App* add_tune_options(CLI::App& app, TuneOptions& options);

/// The words as values. Throws std::invalid_argument.
struct TunePlan {
  std::string file;    // where the profile goes
  bool usual = false;  // where programs look for it by themselves
  double budget = 0;   // seconds
  bool shows = false;
  std::string picture;                  // an SVG; empty: on the terminal
  std::vector<Collective> collectives;  // to decide on; empty: all
  std::vector<std::size_t> sizes;       // empty: 8 bytes to 16 MB
  std::vector<int> p;                   // empty: all ranks
  std::optional<Mesh> mesh;             // of the nodes
};
TunePlan plan_of(const TuneOptions& options);

/// `30s`, `500ms`, `2m` or a number of seconds. Throws std::invalid_argument.
double parse_seconds(std::string_view text);

}  // namespace tutti::core::cli
