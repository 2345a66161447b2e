#pragma once

#include <fmt/format.h>

#include <string>

namespace tutti::core {

/// Three digits or more, as people write them: 0.412, 41.2, 1160.
inline std::string short_number(double value) {
  return value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace tutti::core
