#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::core {

/// Reads `64`, `32K`, `1M` or `2G` (powers of 1024). Throws std::invalid_argument.
std::size_t parse_bytes(std::string_view text);

/// The shortest form that parse_bytes reads back: `32K`, `1000`.
std::string format_bytes(std::size_t bytes);

/// 2^class is the least power of two that is no less than `bytes`; -1 if they are not known.
int size_class_of(std::optional<std::size_t> bytes);

}  // namespace tutti::core
