#pragma once

#include <string>
#include <string_view>

#include "algorithms/registry.hpp"

namespace tutti::core {

/// An algorithm and the parameters somebody asked for.
struct Request {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
};

/// The collective of that name. Throws std::invalid_argument, with a suggestion.
Collective parse_collective(std::string_view name);

/// Reads `bcast/chain:segment=32K` or `allreduce/leader:inner=ring`. Throws std::invalid_argument,
/// with a suggestion for a misspelt name.
Request parse_request(std::string_view text);

/// A parameter's value as it is written.
std::string format_value(const Algorithm& algorithm, const Parameters& parameters,
                         std::string_view name);

/// Whether it is written as a number.
bool is_number(const Algorithm& algorithm, const Parameters& parameters, std::string_view name);

/// What parse_request reads back.
std::string format_request(const Algorithm& algorithm, const Parameters& parameters);

}  // namespace tutti::core
