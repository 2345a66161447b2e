// The one home of the environment: which variables there are, how they are read and checked.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// The variables of Tutti's own, in the order of `tutti run --help`; beside them each collective
/// has one, see algorithm_variable. docs/environment.md says more of what they mean.
enum class Variable : std::uint8_t {
  explain,
  trace,
  record,
  off,
  check,
  strict,
  piece,
  in_flight,
  node,
  topology,
  profile,
  learn,
  young,
  communicators,
};

struct VariableRow {
  Variable variable;
  const char* name;                       // `TUTTI_NODE`
  const char* option;                     // of `tutti run`, which sets it; null: none does
  const char* meaning;                    // as that option's help says it
  void (*check)(std::string_view value);  // throws std::invalid_argument; null: any word will do
};
std::span<const VariableRow> variables();
const VariableRow& row_of(Variable variable);

/// What the environment holds; empty if there is nothing. Whoever wants to know asks here.
std::string in_environment(const char* name);
std::string value_of(Variable variable);
/// A size, with K, M or G.
std::size_t bytes_of(Variable variable, std::size_t otherwise);
/// Which of the words that a variable may have (TUTTI_NODE, TUTTI_LEARN), in the order in which its
/// check names them.
int choice_of(Variable variable, int otherwise);

/// The names of all variables that the library reads.
std::vector<std::string> known_variables();

/// `TUTTI_ALGORITHM_ALLREDUCE`
std::string algorithm_variable(Collective collective);

/// Reads what TUTTI_OFF holds: `scan,exscan`, or `all`. Throws std::invalid_argument.
std::vector<Collective> parse_off(std::string_view text);

/// Throws std::invalid_argument, with a line that begins with `label`, if the variable cannot have
/// that value. An empty value is as good as none.
void check_variable(std::string_view name, std::string_view value, std::string_view label);

/// Sets a variable, which `label` asks for, for this process and those it starts. Throws as above.
void set_variable(std::string_view name, const std::string& value, std::string_view label);

/// Why a file cannot be written, as far as can be told without writing; empty if it can.
std::string cannot_write(const std::string& file);

/// Looks at every TUTTI_* of an environment such as `environ`: a name that nobody reads is a slip
/// that would go unseen. Throws std::invalid_argument for the first that is unknown or has a value
/// it cannot have.
void check_environment(const char* const* environment);

}  // namespace tutti::core
