#pragma once

#include <vector>

namespace tutti {

/// A median with the interval that holds it in 95 of 100 cases, whatever the distribution: it lies
/// between two order statistics. Nothing is thrown away.
struct Median {
  double value = 0, low = 0, high = 0;

  /// Half of the interval's width, as a share of the median.
  double half_width() const { return value > 0 ? (high - low) / 2 / value : 0; }
};

/// Of at least one sample.
Median median_of(std::vector<double> samples);

/// The median of x[i] / y[i]: both were taken next to each other, so that noise hits both.
Median median_ratio(const std::vector<double>& x, const std::vector<double>& y);

/// Of positive values; 1 if there are none.
double geometric_mean(const std::vector<double>& values);

}  // namespace tutti
