// Rates and curves of made-up messages.

#include "tune/samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::core {
namespace {

/// Messages that take alpha + n beta, each pass a little longer than the one before.
Samples on_a_line(double alpha, double beta, std::size_t passes) {
  Samples samples;
  for (std::size_t bytes = 8; bytes <= 4u << 20; bytes *= 2) {
    samples.bytes.push_back(bytes);
    samples.exchange.emplace_back();
    samples.one_way.emplace_back();
    for (std::size_t pass = 0; pass < passes; ++pass) {
      const double seconds =
          (alpha + static_cast<double>(bytes) * beta) * (1 + 0.01 * static_cast<double>(pass));
      samples.exchange.back().push_back(2 * seconds);
      samples.one_way.back().push_back(seconds);
    }
  }
  samples.message.assign(passes, alpha / 4);
  return samples;
}

TEST(Samples, RatesAreThoseOfTheMedians) {
  const Samples samples = on_a_line(1e-6, 1e-9, 3);
  EXPECT_EQ(samples.passes(), 3u);
  const Rates rates =
      rates_of(points_of(samples, samples.exchange), points_of(samples, samples.one_way));
  EXPECT_NEAR(rates.alpha, 2.02e-6, 1e-9);
  EXPECT_NEAR(rates.beta, 2.02e-9, 1e-12);
  EXPECT_NEAR(rates.alpha_uni, 1.01e-6, 1e-9);
  EXPECT_NEAR(rates.beta_uni, 1.01e-9, 1e-12);
}

TEST(Samples, PassesThatDifferAreUncertain) {
  const auto alike = uncertainty_of(on_a_line(1e-6, 1e-9, 1)),
             apart = uncertainty_of(on_a_line(1e-6, 1e-9, 20));
  EXPECT_TRUE(alike.contains("alpha") && alike.contains("beta_uni"));
  for (const auto& [name, share] : apart) EXPECT_GT(share, 0) << name;
}

TEST(Samples, ACopyIsHalfOfAByteInAnExchange) {
  const Samples samples = on_a_line(1e-6, 1e-9, 1);
  const NodeFit fit = node_fit(points_of(samples, samples.exchange),
                               points_of(samples, samples.one_way), samples.message[0]);
  EXPECT_NEAR(fit.byte, 1e-9, 1e-11);
  EXPECT_NEAR(fit.message, 0.25e-6, 1e-9);
  EXPECT_NEAR(fit.latency + 2 * fit.message, 1e-6, 1e-8);
}

TEST(Samples, NobodyWorksMoreThanHalfOfTheLatency) {
  const Samples samples = on_a_line(1e-6, 1e-9, 1);
  const NodeFit fit =
      node_fit(points_of(samples, samples.exchange), points_of(samples, samples.one_way), 1);
  EXPECT_NEAR(fit.latency, 0, 1e-12);
}

TEST(Samples, TheTwoCurvesOfALevelBendTogether) {
  const Samples samples = on_a_line(1e-6, 1e-9, 3);
  Curve exchange = curve_of(samples, samples.exchange, "network", "exchange"),
        one_way = curve_of(samples, samples.one_way, "network", "one_way");
  EXPECT_EQ(exchange.points.size(), samples.bytes.size());
  EXPECT_EQ(exchange.half_widths.size(), samples.bytes.size());
  fit(exchange, one_way);
  ASSERT_EQ(exchange.stretches.size(), one_way.stretches.size());
  EXPECT_NEAR(exchange.stretches[0].lines[0].beta, 2.02e-9, 1e-11);
  EXPECT_NEAR(one_way.stretches[0].lines[0].beta, 1.01e-9, 1e-11);
}

}  // namespace
}  // namespace tutti::core
