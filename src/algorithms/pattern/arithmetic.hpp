#pragma once

#include <bit>

namespace tutti::core {

/// i mod p, for i from -p on.
constexpr int wrap(int i, int p) { return (i + p) % p; }

constexpr int floor_log2(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }
constexpr int ceil_log2(int p) { return p < 2 ? 0 : floor_log2(p - 1) + 1; }
constexpr bool is_power_of_two(int p) { return std::has_single_bit(static_cast<unsigned>(p)); }
constexpr int power_of_two_below(int p) { return 1 << floor_log2(p); }

}  // namespace tutti::core
