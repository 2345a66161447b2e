#pragma once

#include <cstddef>
#include <vector>

namespace tutti::core {

/// A median with the interval that holds it in 95 of 100 cases, whatever the distribution: it lies
/// between two order statistics. Nothing is thrown away.
struct Median {
  double value = 0, low = 0, high = 0;

  /// Half of the interval's width, as a share of the median.
  double half_width() const { return value > 0 ? (high - low) / 2 / value : 0; }
};

/// Of at least one sample.
Median median_of(std::vector<double> samples);

/// With fewer passes there is no interval that holds another run.
inline constexpr std::size_t enough_passes = 10;

/// Of samples taken in several passes over a grid, so many in each: time lies between them, and
/// buffers are new. Samples of one pass are alike in what differs from run to run, so that the
/// passes' medians count, and the interval is where the median of another run like this one lies in
/// 95 of 100 cases. Fewer than enough_passes count as one.
Median median_of(const std::vector<double>& samples, const std::vector<std::size_t>& passes);

/// x[i] / y[i], as far as both go: both were taken next to each other, so that noise hits both.
std::vector<double> ratios(const std::vector<double>& x, const std::vector<double>& y);

/// Of positive values; 1 if there are none.
double geometric_mean(const std::vector<double>& values);

}  // namespace tutti::core
