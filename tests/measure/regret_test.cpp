#include "measure/regret.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

namespace tutti::core {
namespace {

/// Times with a long tail, as on a busy machine.
class Noise {
 public:
  explicit Noise(unsigned seed) : random_(seed) {}
  std::vector<double> samples(double seconds, std::size_t number) {
    std::lognormal_distribution<double> factor(0, 0.2);
    std::vector<double> list(number);
    for (double& each : list) each = seconds * factor(random_);
    return list;
  }

 private:
  std::mt19937 random_;
};

ResultRow timed_row(const std::string& algorithm, std::vector<double> seconds,
                    std::size_t passes = 1) {
  ResultRow result{.algorithm = algorithm, .chosen = algorithm == "chosen"};
  if (result.chosen) result.taken = "bcast/binomial";
  result.passes.assign(passes, seconds.size() / passes);
  result.seconds = std::move(seconds);
  if (!result.seconds.empty()) result.time = median_of(result.seconds);
  return result;
}

CellResult cell(std::vector<ResultRow> rows) {
  return {{Collective::bcast, 4, 1024}, 0, std::move(rows)};
}

// The best of twenty equal candidates is not the best again on the other half.
TEST(Regret, OfEqualCandidatesIsOne) {
  Noise noise(1);
  double sum = 0, squares = 0, floor = 0, naive = 0;
  constexpr int cells = 600;
  for (int i = 0; i < cells; ++i) {
    std::vector<ResultRow> rows;
    for (int k = 0; k < 20; ++k)
      rows.push_back(timed_row(k == 0   ? "native"
                               : k == 1 ? "chosen"
                                        : "bcast/x" + std::to_string(k),
                               noise.samples(1e-5, 40), i % 2 == 0 ? 1 : 10));
    double least = 1;
    for (const ResultRow& each : rows) least = std::min(least, each.time.value);
    naive += std::log(rows[1].time.value / least);
    const Regret regret = regret_of(cell(std::move(rows)));
    const double one = std::log(regret.with_native.value);
    sum += one;
    squares += one * one;
    floor += std::log(regret.noise);
  }
  const double error = std::sqrt(squares) / cells;
  EXPECT_LT(std::abs(sum / cells), 3 * error);
  EXPECT_LT(std::abs(floor / cells), 5 * error);
  EXPECT_GT(naive / cells, 10 * error) << "where the same samples judge, luck counts";
}

TEST(Regret, IsWhatTheBestWouldHaveSaved) {
  Noise noise(2);
  const Regret regret = regret_of(cell({timed_row("native", noise.samples(1.0e-5, 400)),
                                        timed_row("chosen", noise.samples(1.5e-5, 400)),
                                        timed_row("bcast/binomial", noise.samples(1.5e-5, 400)),
                                        timed_row("bcast/chain", noise.samples(1.2e-5, 400))}));
  EXPECT_NEAR(regret.with_native.value, 1.5, 0.06);
  EXPECT_EQ(regret.with_native.best, "native");
  EXPECT_NEAR(regret.without_native.value, 1.25, 0.05);
  EXPECT_EQ(regret.without_native.best, "bcast/chain");
  EXPECT_NEAR(regret.noise, 1, 0.05);
  EXPECT_TRUE(regret.native_wins);
}

TEST(Regret, BelowOneIfOtherParametersAreBetter) {
  Noise noise(3);
  const Regret regret = regret_of(cell({timed_row("native", noise.samples(2e-5, 100)),
                                        timed_row("chosen", noise.samples(1e-5, 100)),
                                        timed_row("bcast/chain", noise.samples(1.25e-5, 100))}));
  EXPECT_NEAR(regret.with_native.value, 0.8, 0.06);
  EXPECT_FALSE(regret.native_wins);
}

TEST(Regret, OnlyWhatIsRightAndWasMeasuredToTheEndCounts) {
  std::vector<ResultRow> rows{
      timed_row("native", {4, 4, 4, 4}),   timed_row("chosen", {3, 3, 3, 3}),
      timed_row("bcast/left_out", {1, 1}), timed_row("bcast/wrong", {1, 1, 1, 1}),
      timed_row("bcast/cannot", {}),       timed_row("bcast/chain", {2, 2, 2, 2})};
  rows[3].correct = false;
  rows[4].unmet = "needs a power of two";
  const Regret regret = regret_of(cell(std::move(rows)));
  EXPECT_DOUBLE_EQ(regret.with_native.value, 1.5);
  EXPECT_EQ(regret.with_native.best, "bcast/chain");
}

// A simulation gives the same every time: one sample is enough, and tells nothing of noise.
TEST(Regret, OfOneSample) {
  const Regret regret = regret_of(
      cell({timed_row("native", {4}), timed_row("chosen", {3}), timed_row("bcast/chain", {2})}));
  EXPECT_DOUBLE_EQ(regret.with_native.value, 1.5);
  EXPECT_EQ(regret.noise, 0);
}

TEST(Regret, WithoutAChosenRowThereIsNone) {
  EXPECT_EQ(regret_of(cell({timed_row("native", {4, 4})})).with_native.value, 0);
  EXPECT_EQ(summary_of({cell({timed_row("native", {4, 4})})}).with_native.cells, 0u);
}

TEST(Regret, Summary) {
  std::vector<CellResult> cells;
  for (int i = 1; i <= 100; ++i)
    cells.push_back(cell({timed_row("native", {2.0, 2.0, 2.0, 2.0}),
                          timed_row("chosen", std::vector<double>(4, 1 + 0.01 * i)),
                          timed_row("bcast/chain", {1, 1, 1, 1})}));
  cells.push_back(cell({timed_row("native", {1, 1}), timed_row("chosen", {4, 4}),
                        timed_row("bcast/chain", {2, 2})}));
  const RegretSummary summary = summary_of(cells);
  EXPECT_EQ(summary.with_native.cells, 101u);
  EXPECT_NEAR(summary.with_native.median, 1.51, 1e-9);
  EXPECT_NEAR(summary.with_native.p95, 1.96, 1e-9);
  EXPECT_NEAR(summary.with_native.most, 4, 1e-9);
  EXPECT_NEAR(summary.without_native.most, 2, 1e-9);
  EXPECT_DOUBLE_EQ(summary.noise.p95, 1);
  ASSERT_EQ(summary.native_wins.size(), 1u);
  EXPECT_EQ(summary.native_wins[0], "bcast, p = 4, 1K (4.00)");
  EXPECT_EQ(json_of(summary)["native_wins"].size(), 1u);
  const std::string text = regret_text(summary);
  EXPECT_NE(text.find("median 1.510, 95th percentile 1.960"), std::string::npos) << text;
}

TEST(Regret, LinesNameWhatWasTakenAndWhatWasBest) {
  const CellResult one = cell(
      {timed_row("native", {4, 4}), timed_row("chosen", {3, 3}), timed_row("bcast/chain", {2, 2})});
  EXPECT_NE(regret_line(one).find(" binomial "), std::string::npos) << regret_line(one);
  EXPECT_NE(regret_line(one).find(" 1.500 chain "), std::string::npos) << regret_line(one);
  const std::string csv = regret_csv_of(one), head = regret_csv_head();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), ','), std::count(head.begin(), head.end(), ','));
  EXPECT_EQ(json_of(regret_of(one))["best"], "bcast/chain");
}

}  // namespace
}  // namespace tutti::core
