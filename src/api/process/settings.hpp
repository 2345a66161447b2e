// What the environment asks of this process, read once and the same on all ranks.

#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "execute/mpi/execution.hpp"
#include "select/young.hpp"

namespace tutti::core {

/// What the environment asks for; docs/environment.md is the page about it. Read and checked once;
/// a value that cannot be is an error at start.
struct Settings {
  struct Forced {
    bool native = false;
    int request = 0;  // see requests.hpp; 0: not forced
  };
  std::array<Forced, collective_count> forced;
  const char* off_why = "off";  // why those that are native are
  bool strict = true;
  bool check = false;
  std::string explain;  // empty: nothing; 1: a table; else a file for JSON
  std::string trace;    // empty: nothing; else a file for what all ranks do
  std::string record;   // a file for JSON; empty: nothing is recorded
  Cutting cutting;
  bool cutting_given = false;  // else a profile may say how messages between nodes are best cut
  /// How messages within a node travel: through shared memory, large ones read where they stand if
  /// the kernel allows and it is cheap; or whatever it takes; always by way of shared memory; by
  /// the MPI. As TUTTI_NODE has its words.
  enum class Node { shared, attach, copy, off } node = Node::shared;
  std::string topology;  // what is pretended; empty: what the MPI says
  /// Whether algorithms take turns; keep: what is learned is stored; any: floats may differ.
  /// As TUTTI_LEARN has its words.
  enum class Learn { off, on, keep, any } learn = Learn::on;
  std::string profile;              // as TUTTI_PROFILE names it
  std::size_t communicators = 512;  // private ones at a time
  /// First calls of few bytes that the MPI does on each communicator; of more bytes fewer do.
  std::size_t young = Young::usual;
  std::size_t road = 0;  // the digest

  /// Throws std::invalid_argument with a line that names the variable.
  static Settings from_environment();
  /// Of all that must be equal on all ranks.
  std::size_t digest() const;
  /// Reads `chain:segment=32K`, `native` or nothing.
  static Forced parse(Collective collective, std::string_view text);
};

/// The settings of this process. The first call reads the environment; a wrong value ends the
/// program with a line that says what to write.
Settings& settings();

/// Somebody watches calls: the settings ask for a table, a record or a trace. For those who ask in
/// every call; true until the settings are read.
extern std::atomic<bool> watches_calls;

inline constexpr const char* not_the_same = "the TUTTI_ variables are not the same on all ranks";

/// All ranks of the world must have the same settings; if not, a line says so and the MPI does
/// everything. Returns whether they have.
bool compare_settings();

/// Ends the program after a line that says why. One rank says it; the others give it the time to.
[[noreturn]] void end_program(const std::string& line, bool says_it);

}  // namespace tutti::core
