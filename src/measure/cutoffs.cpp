// The cheapest row of options by size, changes included.

#include "measure/cutoffs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tutti::core {

namespace {

/// What a change must gain.
constexpr double change = 0.02;

std::size_t middle(std::size_t a, std::size_t b) {
  return static_cast<std::size_t>(
      std::llround(std::sqrt(static_cast<double>(a) * static_cast<double>(b))));
}

}  // namespace

std::vector<std::size_t> steady(const std::vector<std::vector<Option>>& sizes) {
  // The least sum of the regrets' logarithms and of changes, size by size.
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<std::vector<double>> sums;
  std::vector<std::vector<std::size_t>> before;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const bool has_first = std::any_of(sizes[k].begin(), sizes[k].end(),
                                       [](const Option& each) { return each.regret == 0; });
    sums.emplace_back(sizes[k].size(), none);
    before.emplace_back(sizes[k].size(), 0);
    for (std::size_t i = 0; i < sizes[k].size(); ++i) {
      const double regret = sizes[k][i].regret;
      if (has_first && regret > 0) continue;
      const double own = regret > 0 ? std::log(regret) : 0;
      if (k == 0) {
        sums[k][i] = own;
        continue;
      }
      for (std::size_t j = 0; j < sizes[k - 1].size(); ++j) {
        const double sum =
            sums[k - 1][j] + own + (sizes[k - 1][j].name == sizes[k][i].name ? 0 : change);
        if (sum < sums[k][i]) sums[k][i] = sum, before[k][i] = j;
      }
    }
  }
  std::vector<std::size_t> taken(sizes.size());
  for (std::size_t k = sizes.size(); k-- > 0;)
    taken[k] = k + 1 == sizes.size()
                   ? static_cast<std::size_t>(std::min_element(sums[k].begin(), sums[k].end()) -
                                              sums[k].begin())
                   : before[k + 1][taken[k + 1]];
  return taken;
}

std::vector<SizeChoice> merged(const std::vector<SizeChoice>& at_sizes) {
  std::vector<SizeChoice> result;
  for (std::size_t k = 0; k < at_sizes.size(); ++k) {
    if (k > 0 && at_sizes[k].name == at_sizes[k - 1].name) continue;
    result.push_back(at_sizes[k]);
    result.back().bytes = k == 0 ? 0 : middle(at_sizes[k - 1].bytes, at_sizes[k].bytes);
  }
  return result;
}

std::vector<std::size_t> sizes_between(const std::vector<SizeChoice>& at_sizes) {
  std::vector<std::size_t> result;
  for (std::size_t k = 1; k < at_sizes.size(); ++k)
    if (at_sizes[k].name != at_sizes[k - 1].name && at_sizes[k].bytes > 2 * at_sizes[k - 1].bytes)
      result.push_back(middle(at_sizes[k - 1].bytes, at_sizes[k].bytes));
  return result;
}

}  // namespace tutti::core
