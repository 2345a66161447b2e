#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tutti::core {

/// Seconds by bytes, both on logarithmic axes.
struct Series {
  using Points = std::vector<std::pair<double, double>>;  // bytes and seconds, above 0

  std::string name;
  Points points;              // as measured
  std::vector<Points> lines;  // through them; a gap between two
};

struct Chart {
  std::string title;
  std::vector<Series> series;  // at least one point in all
};

/// Points as letters, a for the first series, lines as dots; with what the letters stand for.
std::string chart_text(const Chart& chart, int columns = 72, int rows = 20);

/// The charts one below the other.
std::string chart_svg(const std::vector<Chart>& charts);

}  // namespace tutti::core
