// Rounds of side-by-side times, and who leaves after which.

#include "measure/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/statistics.hpp"

namespace tutti::core {

namespace {

/// From so many samples on an interval above 1 is enough; fewer, and the first choice while others
/// can still prove themselves, must be slower by so much.
constexpr std::size_t enough_samples = 4;
constexpr double well_above = 1.2;

/// What another must gain to be taken instead of the first choice; of few samples each must.
constexpr double worth = 0.03;

/// Closer than this is equal.
constexpr double close = 0.02;

/// The median of a contender over another's, side by side.
Median over(const Contender& slower, const Contender& faster) {
  return median_of(ratios(slower.seconds, faster.seconds));
}

/// The fastest by its median; those who are out may be it if nobody else has samples.
const Contender* fastest(const std::vector<Contender>& contenders) {
  const Contender* best = nullptr;
  double least = 0;
  for (const Contender& each : contenders) {
    if (each.seconds.empty()) continue;
    const double median = median_of(each.seconds).value;
    const bool better = best == nullptr || (best->is_out && !each.is_out) ||
                        (best->is_out == each.is_out && median < least);
    if (better) best = &each, least = median;
  }
  return best;
}

}  // namespace

void leave_out(std::vector<Contender>& contenders, Noise noise) {
  const Contender* const best = fastest(contenders);
  if (best == nullptr) return;
  for (Contender& each : contenders) {
    if (&each == best || each.is_out || each.seconds.empty()) continue;
    const bool doubted = each.is_first_choice || each.seconds.size() < enough_samples;
    each.is_out = over(each, *best).low > (doubted && noise == Noise::some ? well_above : 1.0);
  }
}

bool is_settled(const std::vector<Contender>& contenders) {
  const Contender* const best = fastest(contenders);
  for (const Contender& each : contenders) {
    if (&each == best || each.is_out || each.seconds.empty()) continue;
    const Median ratio = over(each, *best);
    if (each.seconds.size() < enough_samples || ratio.low < 1 - close || ratio.high > 1 + close)
      return false;
  }
  return best != nullptr;
}

std::vector<double> regrets(const std::vector<Contender>& contenders, Noise noise) {
  const Contender* const best = fastest(contenders);
  std::vector<double> result;
  for (const Contender& each : contenders) {
    result.push_back(std::numeric_limits<double>::infinity());
    if (each.seconds.empty()) continue;
    // Against who is best now few samples may say nothing, but it left for good reason.
    if (noise == Noise::some && each.is_out && !best->is_out) continue;
    const Median ratio = over(each, *best);
    if (each.is_first_choice) {
      const bool few = std::min(each.seconds.size(), best->seconds.size()) < 2 * enough_samples;
      const double least = noise == Noise::none ? 1e-3 : worth;
      const bool is_left = ratio.value > 1 + least && ratio.low > 1 + (few ? least : 0);
      if (!is_left) result.back() = few || ratio.value <= 1 + least ? 0 : std::sqrt(ratio.value);
    } else if (ratio.low <= 1) {
      result.back() = std::max(1.0, ratio.value);
    }
  }
  return result;
}

std::vector<double> regrets_as_near(const std::vector<Contender>& contenders,
                                    const std::vector<Contender>& near) {
  std::vector<double> expected;  // 0: not known
  double best = std::numeric_limits<double>::infinity();
  for (const Contender& each : contenders) {
    const auto same = std::find_if(near.begin(), near.end(), [&](const Contender& one) {
      return one.name == each.name && one.predicted > 0 && !one.seconds.empty();
    });
    expected.push_back(
        same == near.end() ? 0 : each.predicted * median_of(same->seconds).value / same->predicted);
    if (expected.back() > 0) best = std::min(best, expected.back());
  }
  std::vector<double> result;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    result.push_back(expected[i] > 0 ? expected[i] / best
                                     : std::numeric_limits<double>::infinity());
    if (contenders[i].is_first_choice && (expected[i] == 0 || result.back() <= 1 + worth))
      result.back() = 0;
  }
  return result;
}

void ModelError::add(const std::vector<Contender>& contenders) {
  std::vector<double> logs;
  for (const Contender& each : contenders)
    if (each.predicted > 0 && !each.seconds.empty())
      logs.push_back(std::log(median_of(each.seconds).value / each.predicted));
  if (logs.size() < 2) return;
  // What is common to all of a case does not change who is first.
  double mean = 0;
  for (const double each : logs) mean += each / static_cast<double>(logs.size());
  for (const double each : logs) squares_ += (each - mean) * (each - mean);
  number_ += static_cast<double>(logs.size() - 1);
}

double ModelError::factor() const {
  // Before anything is measured a factor of 2, which weighs as much as some measurements.
  constexpr double guessed = 4, deviations = 2;
  const double guess = std::log(2.0) / deviations;
  const double variance = (guessed * guess * guess + squares_) / (guessed + number_);
  return std::clamp(std::exp(deviations * std::sqrt(variance)), 1.1, 8.0);
}

}  // namespace tutti::core
