#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/claims.hpp"

namespace tutti::core {

// The shape of a mesh of ranks, 16x32, as one number, so that it can be a parameter's value: in the
// low 32 bits the binary digits of the dimensions one after the other, in the high 32 a mark where
// each begins. Enough for any factorisation of p up to 2^16.

inline constexpr int most_shape_digits = 32;
static_assert(sizeof(std::size_t) * 8 >= 2 * most_shape_digits);

/// Another dimension in front; a shape without dimensions is 0. Throws std::invalid_argument if it
/// has too many digits.
std::size_t with_first(int dimension, std::size_t shape);

std::vector<int> dimensions_of(std::size_t shape);

/// Reads `16x32`. Throws std::invalid_argument.
std::size_t parse_shape(std::string_view text);
std::string format_shape(std::size_t shape);

/// A mesh of ranks, row-major: the last dimension is the fastest. Along the first `longs`
/// dimensions vectors are long: stages that move the least data; along the others stages of few
/// messages.
struct Hybrid {
  std::vector<int> shape;
  int longs = 0;
};

/// What the parameters `shape` and `long` tell; none long without the latter. More long dimensions
/// than there are is as good as all of them.
Hybrid hybrid_of(const Parameters& parameters);

}  // namespace tutti::core
