#pragma once

#include <array>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "execute/mpi/execution.hpp"

namespace tutti {

/// What the environment asks for. Read and checked once; a value that cannot be is an error at
/// start.
///
///   TUTTI_ALGORITHM_<COLLECTIVE>   an algorithm, with parameters; `native` is the MPI's own
///   TUTTI_OFF                      collectives left to the MPI: a list, or `all`
///   TUTTI_STRICT                   0: a forced algorithm that cannot run is a warning, not an
///   error TUTTI_EXPLAIN                  1: a table at the end; a file name: the same as JSON
///   TUTTI_CHECK                    1: verify in every call that all ranks agree
///   TUTTI_PIECE, TUTTI_IN_FLIGHT   bytes per message piece, and how many are under way at a time
struct Settings {
  struct Forced {
    bool native = false;
    Request request;  // algorithm null: not forced
  };
  std::array<Forced, collective_count> forced;
  bool strict = true;
  bool check = false;
  std::string explain;
  Pieces pieces;

  /// Throws std::invalid_argument with a line that names the variable.
  static Settings from_environment();
  /// Reads `chain:segment=32K`, `native` or nothing.
  static Forced parse(Collective collective, std::string_view text);
};

/// The settings of this process. The first call reads the environment; a wrong value ends the
/// program with a line that says what to write.
Settings& settings();

}  // namespace tutti
