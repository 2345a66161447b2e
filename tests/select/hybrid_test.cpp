// Which mesh the model takes for a hybrid, and that it is worth it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/shape.hpp"
#include "model/profile.hpp"
#include "request/request.hpp"
#include "select/predict.hpp"
#include "verify/cases.hpp"

namespace tutti::core {
namespace {

const Rates two_costs{
    .alpha = 7e-6, .beta = 3e-9, .gamma = 2e-9, .alpha_uni = 4e-6, .beta_uni = 1.9e-9};
std::vector<Rates> all_rates() { return {two_costs, default_profile().rates}; }

const Algorithm& hybrid_of(Collective collective) {
  return *parse_request(fmt::format("{}/hybrid", name_of(collective))).algorithm;
}

double seconds_of(const Algorithm& algorithm, const Problem& problem, const Rates& rates,
                  const Parameters& given = {}) {
  const auto n = static_cast<double>(problem.total() * problem.element_bytes);
  return algorithm.seconds(
      {problem.p, n, problem.root, problem.commutative, algorithm.resolve(problem, rates, given)},
      rates);
}

// "Slower than trees for short vectors on few nodes": not here.
TEST(Hybrid, IsNeverSlowerThanATreeOrARing) {
  const std::pair<Collective, std::vector<const char*>> others[] = {
      {Collective::bcast, {"binomial", "scatter_allgather_ring"}},
      {Collective::reduce, {"binomial", "ring_gather"}},
      {Collective::allreduce, {"reduce_bcast", "ring"}},
      {Collective::allgather, {"gather_bcast", "ring"}},
      {Collective::reduce_scatter_block, {"ring", "reduce_scatterv"}},
      {Collective::scatter, {"binomial"}},
      {Collective::gather, {"binomial"}},
  };
  for (const auto& [collective, names] : others)
    for (const char* name : names) {
      const Algorithm& other =
          *parse_request(fmt::format("{}/{}", name_of(collective), name)).algorithm;
      for (const Rates& rates : all_rates())
        for (const int p : {1, 2, 3, 4, 6, 8, 12, 13, 30, 60, 64, 97, 512, 1000, 5040, 1'000'000})
          for (const std::size_t n : {1u, 100u, 1u << 10, 1u << 15, 1u << 20, 1u << 26})
            for (const Rank root : {0, p / 3, p - 1}) {
              const Problem problem =
                  even_problem(collective, p, n, true, has_root(collective) ? root : 0);
              EXPECT_LE(seconds_of(hybrid_of(collective), problem, rates),
                        seconds_of(other, problem, rates) * (1 + 1e-9))
                  << other.full_name() << ", p = " << p << ", n = " << n << ", root " << root;
            }
    }
}

/// The least time over all meshes of p ranks and numbers of long dimensions, as far as they are
/// those asked for.
double least(const Problem& problem, const Rates& rates, std::optional<std::size_t> longs) {
  double best = std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(problem.total() * problem.element_bytes);
  for (const std::vector<int>& shape : proof_shapes(problem.p)) {
    if (problem.p > 1 && std::find(shape.begin(), shape.end(), 1) != shape.end()) continue;
    for (std::size_t i = 0; i <= shape.size(); ++i) {
      if (longs && i != std::min(*longs, shape.size())) continue;
      best = std::min(best, hybrid_cost(problem.collective, problem.root, n, shape,
                                        static_cast<int>(i), rates));
    }
  }
  return best;
}

TEST(Hybrid, TheModelFindsTheFastestMesh) {
  for (const Collective collective :
       {Collective::bcast, Collective::scatter, Collective::gather, Collective::allgather,
        Collective::allgatherv, Collective::reduce, Collective::allreduce,
        Collective::reduce_scatter, Collective::reduce_scatter_block})
    for (const Rates& rates : all_rates())
      for (const int p : {1, 2, 7, 12, 16, 24, 36, 48, 60, 64})
        for (const std::size_t n : {1u << 6, 1u << 12, 1u << 16, 1u << 22})
          for (const Rank root : {0, p / 2, p - 1}) {
            const Algorithm& hybrid = hybrid_of(collective);
            const bool has_long = hybrid.parameters.size() > 1;
            const Problem problem =
                even_problem(collective, p, n, true, has_root(collective) ? root : 0);
            const auto expect_least = [&](std::optional<std::size_t> longs) {
              Parameters given;
              if (longs) given.emplace("long", *longs);
              const double expected = least(problem, rates, longs);
              EXPECT_NEAR(seconds_of(hybrid, problem, rates, given), expected, 1e-9 * expected)
                  << hybrid.full_name() << ", p = " << p << ", n = " << n << ", root " << root
                  << ", long = " << (longs ? std::to_string(*longs) : "any");
            };
            expect_least({});
            for (std::size_t longs = 0; has_long && longs <= 3; ++longs) expect_least(longs);
          }
}

TEST(Hybrid, TheNumberOfLongDimensionsSuitsTheShapeGiven) {
  const Algorithm& hybrid = hybrid_of(Collective::bcast);
  const auto longs = [&](std::size_t n) {
    return hybrid
        .resolve(even_problem(Collective::bcast, 512, n), two_costs,
                 {{"shape", parse_shape("16x32")}})
        .at("long");
  };
  EXPECT_EQ(longs(16), 0u);
  EXPECT_EQ(longs(1 << 20), 2u);
  std::vector<std::size_t> seen;
  for (std::size_t n = 16; n <= 1 << 20; n *= 2) seen.push_back(longs(n));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_NE(std::find(seen.begin(), seen.end(), 1u), seen.end());
}

// 1995, 3.4: in between neither the short nor the long algorithm is the best.
TEST(Hybrid, GainsInBetween) {
  const Problem problem = even_problem(Collective::bcast, 512, 1 << 15);
  const Algorithm& hybrid = hybrid_of(Collective::bcast);
  const double best = seconds_of(hybrid, problem, two_costs);
  for (const char* other : {"bcast/binomial", "bcast/scatter_allgather_ring"})
    EXPECT_LT(1.5 * best, seconds_of(*parse_request(other).algorithm, problem, two_costs)) << other;
}

TEST(Hybrid, OfVeryManyRanksHasOneDimension) {
  const Algorithm& hybrid = hybrid_of(Collective::allreduce);
  const auto shape = [&](int p) {
    const Problem problem = even_problem(Collective::allreduce, p, 1 << 20);
    return format_shape(hybrid.resolve(problem, two_costs).at("shape"));
  };
  EXPECT_EQ(shape(1 << 17), "131072");
  EXPECT_NE(shape(1 << 16), "65536");
}

// Where it does the same as a simpler one, the simpler one is taken.
TEST(Hybrid, LeavesTiesToOthers) {
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce,
                                      Collective::allgather, Collective::scatter})
    for (const int p : {2, 3, 7, 13, 61})  // nothing to factorise
      for (const std::size_t n : {8u, 4096u, 1u << 20})
        EXPECT_NE(predict(collective, p, n, two_costs).front().algorithm->name, "hybrid")
            << name_of(collective) << ", p = " << p << ", n = " << n;
}

}  // namespace
}  // namespace tutti::core
