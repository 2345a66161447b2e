#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/rates.hpp"

namespace tutti::core {

/// What a message of so many bytes took, in seconds: a median of several.
struct Timing {
  double bytes = 0, seconds = 0;
};

/// alpha + n beta, neither below 0.
struct Line {
  double alpha = 0, beta = 0;

  double at(double bytes) const { return alpha + bytes * beta; }
};

/// The line with the least sum of deviations, each as a share of what was measured: as with a
/// median, what lies far off does not matter, however far, and small messages count as much as
/// large ones. Of at least one point.
Line fit_line(const std::vector<Timing>& points);

/// What exchanges and messages one way tell of the letters of the papers.
Rates rates_of(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way);

/// Lines for messages from a size on, one for each of several curves.
struct Stretch {
  double from = 0;  // bytes; the smallest that was measured on this side of the step, or 0
  std::vector<Line> lines;
};

/// Finds where curves over the same sizes, in rising order, change: as many steps as explain more
/// than noise does, at the same sizes for all curves. The first stretch is from 0 on. Between two
/// steps lie at least four sizes.
std::vector<Stretch> fit_stretches(const std::vector<std::vector<Timing>>& curves);

}  // namespace tutti::core
