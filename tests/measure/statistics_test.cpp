#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tutti::core {
namespace {

TEST(Median, OfOneSampleIsThatSample) {
  const Median median = median_of({7});
  EXPECT_EQ(median.value, 7);
  EXPECT_EQ(median.low, 7);
  EXPECT_EQ(median.high, 7);
  EXPECT_EQ(median.half_width(), 0);
}

TEST(Median, IsInTheMiddleOfOddAndEvenNumbers) {
  EXPECT_EQ(median_of({9, 1, 5}).value, 5);
  EXPECT_EQ(median_of({9, 1, 5, 6}).value, 5.5);
  EXPECT_EQ(median_of({2, 1}).value, 1.5);
  EXPECT_EQ(median_of({3, 3, 3, 3, 100}).value, 3);
}

TEST(Median, HalfWidthIsAShareOfTheMedian) {
  EXPECT_DOUBLE_EQ((Median{10, 9, 12}.half_width()), 0.15);
  EXPECT_EQ((Median{0, 0, 0}.half_width()), 0);
}

/// 0, 1, ..., n - 1, not in order.
std::vector<double> shuffled(int n) {
  std::vector<double> samples;
  for (int i = 0; i < n; ++i) samples.push_back(i);
  std::shuffle(samples.begin(), samples.end(), std::mt19937_64(n));
  return samples;
}

TEST(Median, LiesInItsIntervalOfSamples) {
  for (int n = 1; n <= 300; ++n) {
    const Median median = median_of(shuffled(n));
    EXPECT_EQ(median.value, (n - 1) / 2.0) << n;
    EXPECT_LE(median.low, median.value) << n;
    EXPECT_GE(median.high, median.value) << n;
    EXPECT_EQ(median.low, std::floor(median.low)) << n << ": no sample";
    EXPECT_EQ(median.high, std::floor(median.high)) << n << ": no sample";
  }
}

// Few samples cannot exclude their own ends; many leave most of them out.
TEST(Median, IntervalNarrowsWithMoreSamples) {
  for (int n = 1; n <= 6; ++n) {
    const Median median = median_of(shuffled(n));
    EXPECT_EQ(median.low, 0) << n;
    EXPECT_EQ(median.high, n - 1) << n;
  }
  double before = 1;
  for (int n = 10; n <= 10000; n *= 10) {
    const Median median = median_of(shuffled(n));
    const double share = (median.high - median.low) / n;
    EXPECT_LT(share, before) << n;
    before = share;
  }
  EXPECT_LT(before, 0.03);
}

// Nothing says that the median is rather above than below.
TEST(Median, IntervalReachesAsFarDownAsUp) {
  for (int n = 1; n <= 300; ++n) {
    const Median median = median_of(shuffled(n));
    EXPECT_EQ(median.value - median.low, median.high - median.value) << n;
  }
}

/// The chance that the interval of n samples holds the true median, whatever the distribution: the
/// number of samples below the true median is binomial.
double coverage(int n) {
  const Median median = median_of(shuffled(n));
  double chance = 0;
  for (int below = static_cast<int>(median.low) + 1; below <= median.high; ++below)
    chance += std::exp(std::lgamma(n + 1.0) - std::lgamma(below + 1.0) -
                       std::lgamma(n - below + 1.0) - n * std::log(2.0));
  return chance;
}

// Less than six samples never hold it in 95 of 100 cases.
TEST(Median, IntervalHoldsTheTrueMedianByTheBinomial) {
  for (int n = 6; n <= 300; ++n) {
    EXPECT_GE(coverage(n), 0.945) << n;
    EXPECT_LE(coverage(n), n < 30 ? 0.995 : 0.98) << n;
  }
}

// Times are skewed: a floor, and a long tail above it.
TEST(Median, IntervalHoldsTheTrueMedianOfSkewedSamples) {
  constexpr int trials = 4000;
  const double truth = 3 + std::pow(std::log(2.0), 3);
  std::mt19937_64 random(20081);
  const auto sample = [&] {
    const double uniform = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
    return 3 + std::pow(-std::log(uniform), 3);
  };
  for (const int n : {31, 50, 100}) {
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> samples(n);
      for (double& each : samples) each = sample();
      const Median median = median_of(std::move(samples));
      held += median.low <= truth && truth <= median.high;
    }
    const double share = static_cast<double>(held) / trials;
    EXPECT_GE(share, 0.93) << n;
    EXPECT_LE(share, 0.98) << n;
  }
}

// The machine gets ten times slower on the way: neighbours do not care.
TEST(MedianRatio, PairsNeighbours) {
  const Median ratio = median_of(ratios({2, 20, 200, 2000}, {1, 10, 100, 1000}));
  EXPECT_EQ(ratio.value, 2);
  EXPECT_EQ(ratio.low, 2);
  EXPECT_EQ(ratio.high, 2);
  EXPECT_EQ(median_of(ratios({1, 2, 3}, {3, 2, 1})).value, 1);
  EXPECT_EQ(median_of(ratios({1, 2, 3}, {3, 2, 1})).high, 3);
}

TEST(MedianRatio, LeavesOutWhatHasNoNeighbour) {
  EXPECT_EQ(median_of(ratios({4, 4, 100, 100, 100}, {2, 2})).value, 2);
  EXPECT_EQ(median_of(ratios({4, 4}, {2, 2, 100, 100, 100})).value, 2);
}

// Every pass of ten has samples that are alike: a hundred of them know no more than one.
TEST(MedianOfPasses, CountsPassesNotSamples) {
  std::vector<double> samples;
  for (int pass = 1; pass <= 10; ++pass) samples.insert(samples.end(), 100, pass);
  const Median median = median_of(samples, std::vector<std::size_t>(10, 100));
  EXPECT_EQ(median.value, 5.5);
  EXPECT_EQ(median.low, 1);
  EXPECT_EQ(median.high, 10);
  const Median naive = median_of(samples);
  EXPECT_GT(naive.low, 4);
  EXPECT_LT(naive.high, 7);
}

TEST(MedianOfPasses, PassesMayDifferInLength) {
  std::vector<double> samples(7, 1.0);
  std::vector<std::size_t> passes{7};
  for (int pass = 2; pass <= 11; ++pass) {
    samples.push_back(pass);
    passes.push_back(1);
  }
  EXPECT_EQ(median_of(samples, passes).value, 6);
}

TEST(MedianOfPasses, FewPassesCountAsOne) {
  const std::vector<double> samples{1, 1, 1, 1, 9, 9};
  const Median median = median_of(samples, {4, 2}), plain = median_of(samples);
  EXPECT_EQ(median.value, plain.value);
  EXPECT_EQ(median.low, plain.low);
  EXPECT_EQ(median.high, plain.high);
}

// Runs differ by more than their samples tell; passes of a run differ as runs do. The median of
// another run lies in the interval in 95 of 100 cases.
TEST(MedianOfPasses, HoldsAnotherRun) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise;
  const auto run = [&] {
    std::vector<double> samples;
    for (int pass = 0; pass < 20; ++pass) {
      const double place = 100 + 3 * noise(random);
      for (int i = 0; i < 30; ++i) samples.push_back(place + noise(random));
    }
    return median_of(samples, std::vector<std::size_t>(20, 30));
  };
  constexpr int trials = 1000;
  int held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Median one = run(), other = run();
    held += one.low <= other.value && other.value <= one.high;
  }
  EXPECT_GE(held, 0.93 * trials);
  EXPECT_LE(held, 0.99 * trials);
}

TEST(GeometricMean, OfRatios) {
  EXPECT_EQ(geometric_mean({}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean({3}), 3);
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2}), 1);
  EXPECT_DOUBLE_EQ(geometric_mean({1, 8, 27}), 6);
}

}  // namespace
}  // namespace tutti::core
