// Sizes as people write them: 32K, 1M.

#include "schedule/bytes.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace tutti::core {
namespace {
constexpr std::string_view units = "KMG";
}

std::size_t parse_bytes(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;  // npos + 1 is 0
  const bool is_unit = unit.empty() || (unit.size() == 1 && power > 0);
  if (error == std::errc::invalid_argument || !is_unit)
    throw std::invalid_argument(fmt::format(
        "'{}' is not a size: write a whole number of bytes, with K, M or G for powers of "
        "1024 (64, 32K, 1M)",
        text));
  if (error == std::errc::result_out_of_range ||
      number > std::numeric_limits<std::size_t>::max() >> (10 * power))
    throw std::invalid_argument(
        fmt::format("'{}' is too large a size: write less than 2^64 bytes", text));
  return number << (10 * power);
}

std::string format_bytes(std::size_t bytes) {
  std::size_t power = 0;
  while (power < units.size() && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++power;
  }
  return power == 0 ? fmt::format("{}", bytes) : fmt::format("{}{}", bytes, units[power - 1]);
}

int size_class_of(std::optional<std::size_t> bytes) {
  if (!bytes) return -1;
  return *bytes <= 1 ? 0 : static_cast<int>(std::bit_width(*bytes - 1));
}

}  // namespace tutti::core
