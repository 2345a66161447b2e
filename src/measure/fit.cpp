// Lines through times by size, and where one ends and the next begins.

#include "measure/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tutti::core {

namespace {

constexpr std::size_t least_points = 4, most_stretches = 4;

/// What is measured is never more exact.
constexpr double least_noise = 0.005;

/// A step must explain as much as the noise of so many points, for each curve: a line and a place
/// more follow noise, too.
constexpr double worth_of_step = 20;

double deviation(const Line& line, const Timing& point) {
  return std::abs(line.at(point.bytes) - point.seconds) / point.seconds;
}

struct Fit {
  Line line;
  double cost = std::numeric_limits<double>::infinity();  // sum of deviations
};

/// The best line goes through two of the points, or, where it would fall or begin below 0, is
/// level or proportional.
Fit best_line(std::span<const Timing> points) {
  Fit best;
  const auto attempt = [&](const Line& line) {
    double cost = 0;
    for (const Timing& point : points) cost += deviation(line, point);
    if (cost < best.cost) best = {line, cost};
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Timing& a = points[i];
    attempt({a.seconds, 0});
    if (a.bytes > 0) attempt({0, a.seconds / a.bytes});
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Timing& b = points[j];
      const double beta = (b.seconds - a.seconds) / (b.bytes - a.bytes);
      const double alpha = a.seconds - a.bytes * beta;
      if (beta >= 0 && alpha >= 0) attempt({alpha, beta});
    }
  }
  return best;
}

/// How many points of all curves deviate less than that from the stretches: the middle one's.
double noise_of(const std::vector<std::vector<Timing>>& curves,
                const std::vector<Stretch>& stretches) {
  std::vector<double> deviations;
  for (std::size_t curve = 0; curve < curves.size(); ++curve)
    for (const Timing& point : curves[curve]) {
      const Stretch* stretch = &stretches.front();
      for (const Stretch& each : stretches)
        if (each.from <= point.bytes) stretch = &each;
      deviations.push_back(deviation(stretch->lines[curve], point));
    }
  std::nth_element(deviations.begin(), deviations.begin() + deviations.size() / 2,
                   deviations.end());
  return deviations[deviations.size() / 2];
}

}  // namespace

Line fit_line(const std::vector<Timing>& points) { return best_line(points).line; }

std::vector<Stretch> fit_stretches(const std::vector<std::vector<Timing>>& curves) {
  const std::size_t n = curves.front().size();
  const auto lines_of = [&](std::size_t first, std::size_t last, double& cost) {
    Stretch stretch{first == 0 ? 0 : curves.front()[first].bytes, {}};
    cost = 0;
    for (const std::vector<Timing>& curve : curves) {
      const Fit fit = best_line(std::span(curve).subspan(first, last - first));
      stretch.lines.push_back(fit.line);
      cost += fit.cost;
    }
    return stretch;
  };
  // cost[k][i]: the first i sizes in k + 1 stretches; begin[k][i]: where the last of them begins.
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> cost(most_stretches, std::vector<double>(n + 1, never));
  std::vector<std::vector<std::size_t>> begin(most_stretches, std::vector<std::size_t>(n + 1, 0));
  for (std::size_t first = 0; first < n; ++first)
    for (std::size_t last = first + 1; last <= n; ++last) {
      if (first > 0 && last - first < least_points) continue;
      double own = 0;
      lines_of(first, last, own);
      if (first == 0) {
        cost[0][last] = own;
        continue;
      }
      if (first < least_points) continue;
      for (std::size_t k = 1; k < most_stretches; ++k)
        if (cost[k - 1][first] + own < cost[k][last])
          cost[k][last] = cost[k - 1][first] + own, begin[k][last] = first;
    }
  const auto stretches_of = [&](std::size_t k) {
    std::vector<Stretch> stretches;
    for (std::size_t last = n;; --k) {
      double unused = 0;
      stretches.push_back(lines_of(begin[k][last], last, unused));
      last = begin[k][last];
      if (k == 0) break;
    }
    std::reverse(stretches.begin(), stretches.end());
    return stretches;
  };
  std::size_t most = most_stretches - 1;
  while (cost[most][n] == never) --most;
  const double noise = std::max(least_noise, noise_of(curves, stretches_of(most)));
  const double price = worth_of_step * noise * static_cast<double>(curves.size());
  std::size_t best = 0;
  for (std::size_t k = 1; k <= most; ++k)
    if (cost[k][n] + price * static_cast<double>(k) <
        cost[best][n] + price * static_cast<double>(best))
      best = k;
  return stretches_of(best);
}

Rates rates_of(const std::vector<Timing>& exchange, const std::vector<Timing>& one_way) {
  const Line both = fit_line(exchange), one = fit_line(one_way);
  return {.alpha = both.alpha,
          .beta = both.beta,
          .gamma = 0,
          .alpha_uni = one.alpha,
          .beta_uni = one.beta};
}

}  // namespace tutti::core
