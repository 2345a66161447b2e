// Folds the lines of a grid over the dimensions of a network.

#include "topology/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace tutti::core {

namespace {

/// Beyond it is a slip of the pen.
constexpr std::int64_t most_places = 1 << 24;

std::int64_t places_of(const std::vector<int>& dims, const char* what) {
  if (dims.empty())
    throw std::invalid_argument(fmt::format("the {} has no dimension: give at least one", what));
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("the {} {} {}", what, fmt::join(dims, "x"), why));
  };
  std::int64_t result = 1;
  for (const int size : dims) {
    if (size < 1) refuse("has an empty dimension: each must be 1 or more");
    result *= size;
    if (result > most_places) refuse(fmt::format("has more than {} places", most_places));
  }
  return result;
}

/// A part of a logical dimension: `radix` places of a physical dimension, `stride` apart.
struct Digit {
  std::size_t physical;
  int radix;
  int stride;
};
/// All of a logical dimension, the slowest first.
using Digits = std::vector<Digit>;

/// The value of each digit at a place of a logical line. From one place to the next a single digit
/// goes up or down by one: when a digit moves, the faster ones turn round.
std::vector<int> snake(const Digits& digits, int size, int place) {
  std::vector<int> values;
  for (const Digit& digit : digits) {
    size /= digit.radix;
    values.push_back(place / size);
    place %= size;
    if (values.back() % 2 != 0) place = size - 1 - place;
  }
  return values;
}

/// Looks through all ways to share the physical dimensions among the logical ones.
class Search {
 public:
  Search(const std::vector<int>& physical, bool torus, const std::vector<int>& logical)
      : physical_(physical), torus_(torus), logical_(logical) {}

  /// The digits of each logical dimension. The smallest possible stride goes first, for few places
  /// that neighbours are apart; then few links in all, few folds, and ends that are near.
  std::vector<Digits> run() {
    while (!best_) {
      ++limit_;
      digits_.assign(logical_.size(), {});
      left_ = logical_;
      split(0, physical_[0], 1);
    }
    return *best_;
  }

  int closing_hop(const Digits& digits, int size) const {
    const std::vector<int> last = snake(digits, size, size - 1);
    int hops = 0;
    for (std::size_t k = 0; k < digits.size(); ++k) {
      const int away = last[k] * digits[k].stride;
      hops += torus_ ? std::min(away, physical_[digits[k].physical] - away) : away;
    }
    return hops;
  }

 private:
  /// Gives physical dimension `j` away, the digit of the smallest stride first; `rest` is left.
  void split(std::size_t j, int rest, int stride) {
    if (rest == 1) {
      if (j + 1 < physical_.size())
        split(j + 1, physical_[j + 1], 1);
      else
        judge();
      return;
    }
    if (stride > limit_) return;
    for (std::size_t i = 0; i < logical_.size(); ++i) {
      // Two digits of one dimension would be one, or a detour.
      if (!digits_[i].empty() && digits_[i].back().physical == j) continue;
      const int common = std::gcd(left_[i], rest);
      for (int radix = common; radix > 1; --radix) {
        if (common % radix != 0) continue;
        digits_[i].push_back({j, radix, stride});
        left_[i] /= radix;
        split(j, rest / radix, stride * radix);
        left_[i] *= radix;
        digits_[i].pop_back();
      }
    }
  }

  void judge() {
    std::vector<Digits> all = digits_;
    double links = 0;
    std::size_t folds = 0;
    int closing = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      // A slow digit makes few steps. A snake ends near its beginning if its slowest digit is even
      // and small.
      std::stable_sort(all[i].begin(), all[i].end(), [](const Digit& a, const Digit& b) {
        return std::tuple(-a.stride, a.radix % 2, a.radix) <
               std::tuple(-b.stride, b.radix % 2, b.radix);
      });
      double turns = 1, line = 0;
      for (const Digit& digit : all[i]) {
        line += turns * (digit.radix - 1) * digit.stride;
        turns *= digit.radix;
      }
      links += line / logical_[i];  // the more places a line has, the fewer lines there are
      folds += all[i].size();
      closing = std::max(closing, closing_hop(all[i], logical_[i]));
    }
    const auto score = std::tuple(links, folds, closing);
    if (best_ && score >= score_) return;
    best_ = std::move(all);
    score_ = score;
  }

  const std::vector<int>& physical_;
  const bool torus_;
  const std::vector<int>& logical_;
  int limit_ = 0;  // no stride beyond it
  std::vector<Digits> digits_;
  std::vector<int> left_;
  std::optional<std::vector<Digits>> best_;
  std::tuple<double, std::size_t, int> score_;
};

}  // namespace

Placement place(const std::vector<int>& physical, bool torus, const std::vector<int>& logical) {
  const std::int64_t there = places_of(physical, "network");
  const std::int64_t wanted = places_of(logical, "grid");
  if (there != wanted)
    throw std::invalid_argument(
        fmt::format("the grid {} has {} places, the network {} has {}: give as many",
                    fmt::join(logical, "x"), wanted, fmt::join(physical, "x"), there));

  Search search(physical, torus, logical);
  const std::vector<Digits> digits = search.run();
  std::vector<int> weights(physical.size(), 1);  // of each physical coordinate in a place's number
  for (std::size_t j = physical.size() - 1; j > 0; --j) weights[j - 1] = weights[j] * physical[j];

  Placement result;
  result.places = {0};
  for (std::size_t i = 0; i < logical.size(); ++i) {
    std::vector<int> longer;
    for (const int begin : result.places)
      for (int c = 0; c < logical[i]; ++c) {
        const std::vector<int> values = snake(digits[i], logical[i], c);
        int place = begin;
        for (std::size_t k = 0; k < values.size(); ++k)
          place += values[k] * digits[i][k].stride * weights[digits[i][k].physical];
        longer.push_back(place);
      }
    result.places = std::move(longer);
    for (const Digit& digit : digits[i])
      result.largest_hop = std::max(result.largest_hop, digit.stride);
    result.closing_hop = std::max(result.closing_hop, search.closing_hop(digits[i], logical[i]));
  }
  return result;
}

}  // namespace tutti::core
