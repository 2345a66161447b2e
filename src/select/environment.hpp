#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// The names of all variables that the library reads. docs/environment.md says what they mean.
std::vector<std::string> known_variables();

/// `TUTTI_ALGORITHM_ALLREDUCE`
std::string algorithm_variable(Collective collective);

/// Reads what TUTTI_OFF holds: `scan,exscan`, or `all`. Throws std::invalid_argument.
std::vector<Collective> parse_off(std::string_view text);

/// Throws std::invalid_argument, with a line that begins with `label`, if the variable cannot have
/// that value. An empty value is as good as none.
void check_variable(std::string_view name, std::string_view value, std::string_view label);

/// Why a file cannot be written, as far as can be told without writing; empty if it can.
std::string cannot_write(const std::string& file);

/// Looks at every TUTTI_* of an environment such as `environ`: a name that nobody reads is a slip
/// that would go unseen. Throws std::invalid_argument for the first that is unknown or has a value
/// it cannot have.
void check_environment(const char* const* environment);

}  // namespace tutti::core
