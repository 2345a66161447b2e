// Medians, and the order statistics around them.

#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tutti::core {

namespace {

/// The interval reaches over `deviations` of the median.
Median median_within(std::vector<double> samples, double deviations) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<std::ptrdiff_t>(samples.size());
  // How many samples lie below the median is binomial: n / 2 with a deviation of sqrt(n) / 2.
  const double reach = deviations * std::sqrt(static_cast<double>(n)) / 2;
  const double half = static_cast<double>(n - 1) / 2;
  const auto at = [&](double index) {
    return samples[std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(index), 0, n - 1)];
  };
  const double middle = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  return {middle, at(std::floor(half - reach)), at(std::ceil(half + reach))};
}

constexpr double of_95_percent = 1.96;

}  // namespace

Median median_of(std::vector<double> samples) {
  return median_within(std::move(samples), of_95_percent);
}

Median median_of(const std::vector<double>& samples, const std::vector<std::size_t>& passes) {
  if (passes.size() < enough_passes) return median_of(samples);
  std::vector<double> medians;
  for (auto from = samples.begin(); const std::size_t number : passes) {
    const auto to = from + static_cast<std::ptrdiff_t>(number);
    medians.push_back(median_of(std::vector(from, to)).value);
    from = to;
  }
  // The other run's median deviates as much as this one's.
  return median_within(std::move(medians), of_95_percent * std::sqrt(2));
}

std::vector<double> ratios(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> result(std::min(x.size(), y.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = x[i] / y[i];
  return result;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return values.empty() ? 1 : std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace tutti::core
