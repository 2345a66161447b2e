#pragma once

#include <algorithm>
#include <limits>

namespace tutti::core {

inline constexpr double never = -std::numeric_limits<double>::infinity();

/// max(floor, x + shift): how a time depends on an earlier one where all that happens is waiting
/// for each other and taking time.
struct After {
  double floor = never, shift = never;

  static After self() { return {never, 0}; }
  double at(double x) const { return std::max(floor, x + shift); }
  /// This, as a function of what `inner` depends on.
  After of(const After& inner) const {
    return {std::max(floor, inner.floor + shift), inner.shift + shift};
  }
  After operator+(double time) const { return {floor + time, shift + time}; }
};
inline After max(const After& a, const After& b) {
  return {std::max(a.floor, b.floor), std::max(a.shift, b.shift)};
}

}  // namespace tutti::core
