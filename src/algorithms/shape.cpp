// The shape of a mesh of ranks as one number, and as text.

#include "algorithms/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace tutti::core {

std::size_t with_first(int dimension, std::size_t shape) {
  const auto digits = static_cast<std::uint64_t>(dimension), rest = std::uint64_t{shape};
  const int behind = std::bit_width(rest >> most_shape_digits), width = std::bit_width(digits);
  if (behind + width > most_shape_digits)
    throw std::invalid_argument(
        fmt::format("a shape may have {} binary digits in all: write fewer "
                    "or smaller dimensions",
                    most_shape_digits));
  const std::uint64_t mark = std::uint64_t{1} << (behind + width - 1);
  return rest | digits << behind | mark << most_shape_digits;
}

std::vector<int> dimensions_of(std::size_t shape) {
  const std::uint64_t packed = shape;
  std::uint64_t marks = packed >> most_shape_digits;
  auto digits = static_cast<std::uint32_t>(packed);
  std::vector<int> dimensions;
  while (marks != 0) {
    marks ^= std::bit_floor(marks);
    const int behind = std::bit_width(marks);
    dimensions.push_back(static_cast<int>(digits >> behind));
    digits &= (std::uint32_t{1} << behind) - 1;
  }
  return dimensions;
}

std::size_t parse_shape(std::string_view text) {
  std::vector<int> dimensions;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int dimension = 0;
    const auto [next, error] = std::from_chars(at, end, dimension);
    if (error != std::errc{} || dimension < 1 || (next != end && *next != 'x'))
      throw std::invalid_argument(
          fmt::format("'{}' is no shape: write its dimensions as 16x32 or 4x4x2", text));
    dimensions.push_back(dimension);
    if (next == end) break;
    at = next + 1;
  }
  std::size_t shape = 0;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension)
    shape = with_first(*dimension, shape);
  return shape;
}

std::string format_shape(std::size_t shape) {
  return fmt::format("{}", fmt::join(dimensions_of(shape), "x"));
}

Hybrid hybrid_of(const Parameters& parameters) {
  Hybrid hybrid{dimensions_of(*value_of(parameters, ParameterKind::shape))};
  if (const std::size_t* const longs = value_of(parameters, ParameterKind::longs))
    hybrid.longs = static_cast<int>(std::min(*longs, hybrid.shape.size()));
  return hybrid;
}

}  // namespace tutti::core
