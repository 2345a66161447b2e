#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tutti::core {

/// What combining costs by: an operator's class and a type's; `user` is an operator of a program's
/// own.
enum class Work : std::uint8_t {
  sum_double,
  sum_integer,
  sum_float,
  sum_complex,
  product_integer,
  product_float,
  product_double,
  product_complex,
  extreme_integer,
  extreme_float,
  extreme_double,
  logical_integer,
  bitwise_integer,
  user,
};

inline constexpr std::array<std::string_view, 14> work_names{
    "sum_double",      "sum_integer",   "sum_float",      "sum_complex",
    "product_integer", "product_float", "product_double", "product_complex",
    "extreme_integer", "extreme_float", "extreme_double", "logical_integer",
    "bitwise_integer", "user"};

constexpr std::string_view name_of(Work work) { return work_names[static_cast<std::size_t>(work)]; }

}  // namespace tutti::core
