// How near one word is to another.

#include "schedule/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace tutti::core {
namespace {

/// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    std::swap(above, row);
  }
  return above.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates)
    if (const std::size_t count = edits(name, candidate);
        count < std::min(fewest, std::max(name.size(), candidate.size()))) {
      fewest = count;
      best = candidate;
    }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string found = nearest(name, candidates);
  return found.empty() ? "" : ": did you mean '" + found + "'?";
}

}  // namespace tutti::core
