#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tutti {

Median median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<std::ptrdiff_t>(samples.size());
  // How many samples lie below the median is binomial: n / 2 with a deviation of sqrt(n) / 2.
  const double reach = 1.96 * std::sqrt(static_cast<double>(n)) / 2;
  const double half = static_cast<double>(n - 1) / 2;
  const auto at = [&](double index) {
    return samples[std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(index), 0, n - 1)];
  };
  const double middle = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  return {middle, at(std::floor(half - reach)), at(std::ceil(half + reach))};
}

Median median_ratio(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) ratios.push_back(x[i] / y[i]);
  return median_of(std::move(ratios));
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace tutti
