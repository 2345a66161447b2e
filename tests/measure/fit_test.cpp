#include "measure/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace tutti::core {
namespace {

/// 8 B to 4 MB, two sizes for each doubling.
std::vector<double> sizes() {
  std::vector<double> list;
  for (double size = 8; size <= 4 << 20; size *= 2) {
    list.push_back(size);
    if (size < 4 << 20) list.push_back(1.5 * size);
  }
  return list;
}

std::vector<Timing> curve(const std::function<double(double)>& seconds, double noise = 0,
                          unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Timing> points;
  for (const double bytes : sizes())
    points.push_back({bytes, seconds(bytes) * std::exp(noise * normal(random))});
  return points;
}

double straight(double bytes) { return 10e-6 + bytes * 1e-9; }
/// From 64 KB on a round trip more, and a better rate.
double eager(double bytes) { return bytes < 65536 ? straight(bytes) : 60e-6 + bytes * 0.8e-9; }

void expect_line(const Line& line, double alpha, double beta, double tolerance) {
  EXPECT_NEAR(line.alpha, alpha, tolerance * alpha);
  EXPECT_NEAR(line.beta, beta, tolerance * beta);
}

TEST(Fit, FindsALineExactly) { expect_line(fit_line(curve(straight)), 10e-6, 1e-9, 1e-9); }

TEST(Fit, OnePointIsLevelAndTimesThatFallAreToo) {
  EXPECT_DOUBLE_EQ(fit_line({{8, 3e-6}}).at(1000), 3e-6);
  const Line line = fit_line({{8, 3e-6}, {16, 2e-6}, {32, 1e-6}});
  EXPECT_DOUBLE_EQ(line.alpha, 1e-6);  // shares count: 1 us is half of 2 us, all of 1 us
  EXPECT_DOUBLE_EQ(line.beta, 0);
  // Nor does a line begin below 0.
  const Line steep = fit_line({{10, 1e-6}, {20, 3e-6}, {40, 7e-6}});
  EXPECT_GE(steep.alpha, 0);
}

TEST(Fit, NoiseMovesALineLittle) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    expect_line(fit_line(curve(straight, 0.05, seed)), 10e-6, 1e-9, 0.06);
}

TEST(Fit, OutliersDoNotMatterHoweverFar) {
  for (const double factor : {1.5, 30.0, 1e4}) {
    std::vector<Timing> points = curve(straight);
    for (const std::size_t i : {2u, 9u, 17u, 25u, 33u}) points[i].seconds *= factor;
    expect_line(fit_line(points), 10e-6, 1e-9, 1e-9);
    EXPECT_EQ(fit_stretches({points}).size(), 1u);
  }
}

TEST(Fit, AStraightLineHasNoSteps) {
  EXPECT_EQ(fit_stretches({curve(straight)}).size(), 1u);
  int steps = 0;
  for (unsigned seed = 1; seed <= 50; ++seed)
    for (const double noise : {0.01, 0.05, 0.15})
      steps += fit_stretches({curve(straight, noise, seed)}).size() > 1;
  EXPECT_LE(steps, 3) << "of 150";
}

TEST(Fit, FindsTheJumpAtTheEagerLimit) {
  const auto exact = fit_stretches({curve(eager)});
  ASSERT_EQ(exact.size(), 2u);
  EXPECT_EQ(exact[0].from, 0);
  EXPECT_EQ(exact[1].from, 65536);
  expect_line(exact[0].lines[0], 10e-6, 1e-9, 1e-9);
  expect_line(exact[1].lines[0], 60e-6, 0.8e-9, 1e-9);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto noisy = fit_stretches({curve(eager, 0.02, seed)});
    ASSERT_EQ(noisy.size(), 2u) << seed;
    EXPECT_GE(noisy[1].from, 49152) << seed;
    EXPECT_LE(noisy[1].from, 98304) << seed;
    expect_line(noisy[0].lines[0], 10e-6, 1e-9, 0.1);
    EXPECT_NEAR(noisy[1].lines[0].beta, 0.8e-9, 0.08e-9) << seed;
  }
}

TEST(Fit, CurvesShareTheirSteps) {
  const auto one_way = [](double bytes) { return 0.9 * eager(bytes); };
  const auto stretches = fit_stretches({curve(eager, 0.02, 3), curve(one_way, 0.02, 4)});
  ASSERT_EQ(stretches.size(), 2u);
  ASSERT_EQ(stretches[1].lines.size(), 2u);
  EXPECT_EQ(stretches[1].from, 65536);
  EXPECT_NEAR(stretches[1].lines[1].beta, 0.72e-9, 0.08e-9);
}

TEST(Fit, FindsSeveralSteps) {
  const auto three = [](double bytes) {
    return bytes < 512      ? 1e-6 + bytes * 1e-9
           : bytes < 131072 ? 3e-6 + bytes * 0.5e-9
                            : 100e-6 + bytes * 0.1e-9;
  };
  const auto stretches = fit_stretches({curve(three)});
  ASSERT_EQ(stretches.size(), 3u);
  EXPECT_EQ(stretches[1].from, 512);
  EXPECT_EQ(stretches[2].from, 131072);
}

TEST(Fit, FewPointsAreOnePiece) {
  EXPECT_EQ(fit_stretches({{{8, 1e-6}, {16, 9e-6}, {32, 1e-6}}}).size(), 1u);
  EXPECT_EQ(fit_stretches({{{8, 1e-6}}}).size(), 1u);
}

}  // namespace
}  // namespace tutti::core
