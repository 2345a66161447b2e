#pragma once

#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "schedule/suggest.hpp"

namespace tutti::core {

/// The value that name_of calls `name`. Throws std::invalid_argument, with a suggestion; `what` is
/// the word for such a value.
template <class Value>
Value parse_name(std::string_view name, std::span<const Value> values, std::string_view what) {
  std::vector<std::string> names;
  for (const Value each : values) {
    if (name_of(each) == name) return each;
    names.emplace_back(name_of(each));
  }
  throw std::invalid_argument(fmt::format("unknown {} '{}' (there are {}){}", what, name,
                                          fmt::join(names, ", "), suggestion(name, names)));
}

}  // namespace tutti::core
