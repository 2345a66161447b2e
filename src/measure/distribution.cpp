// The block sizes of each distribution.

#include "measure/distribution.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "measure/names.hpp"

namespace tutti::core {

std::string_view name_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::regular: return "regular";
    case Distribution::broadcast: return "broadcast";
    case Distribution::spike: return "spike";
    case Distribution::half_full: return "half_full";
    case Distribution::decreasing: return "decreasing";
    case Distribution::geometric: return "geometric";
  }
  return "";
}

Distribution parse_distribution(std::string_view name) {
  return parse_name<Distribution>(name, all_distributions, "distribution");
}

std::vector<std::size_t> distribute(Distribution distribution, int p, std::size_t total) {
  // Weights as in the paper, with c = 1.
  std::vector<double> weights(p, 1);
  switch (distribution) {
    case Distribution::regular: break;
    case Distribution::broadcast:
      for (int i = 1; i < p; ++i) weights[i] = 0;
      break;
    case Distribution::spike:
      for (int i = 1; i < p; ++i) weights[i] = 1.0 / (p - 1);
      break;
    case Distribution::half_full:
      for (int i = 1; i < p; i += 2) weights[i] = 0;
      break;
    case Distribution::decreasing:
      for (int i = 0; i < p && p > 1; ++i) weights[i] = p - 1 - i;
      break;
    case Distribution::geometric:
      // Blocks of 1, 2, 4, ... ranks share equal parts.
      for (int i = 0; i < p; ++i) weights[i] = 1.0 / std::bit_floor(static_cast<unsigned>(i + 1));
      break;
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> counts(p);
  double before = 0;
  std::size_t given = 0;
  for (int i = 0; i < p; ++i) {
    before += weights[i];
    const std::size_t until =
        i == p - 1
            ? total
            : std::min(total,
                       static_cast<std::size_t>(static_cast<double>(total) * (before / sum) + 0.5));
    // An empty block stays empty: rounding must not give it an element.
    counts[i] = weights[i] > 0 ? until - given : 0;
    given += counts[i];
  }
  counts[0] += total - given;
  return counts;
}

Problem distributed(Collective collective, Distribution distribution, int p, std::size_t total) {
  Problem problem = Problem::even(collective, p, total);
  if (!is_irregular(collective)) return problem;
  const std::vector<std::size_t> counts = distribute(distribution, p, total);
  if (!is_alltoall(collective)) {
    problem.counts = counts;
    return problem;
  }
  problem.counts.resize(static_cast<std::size_t>(p) * p);
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j)
      problem.counts[static_cast<std::size_t>(i) * p + j] = counts[(j - i - 1 + p) % p];
  return problem;
}

}  // namespace tutti::core
