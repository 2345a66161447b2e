// The registry's closed forms against the replay of the schedules.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases.hpp"
#include "model/bounds.hpp"
#include "request/request.hpp"
#include "schedule/match.hpp"
#include "verify/cases.hpp"

namespace tutti::core {
namespace {

/// Whether the row says that its closed form is exact here.
bool is_exact(const Algorithm& algorithm, int p, const Rates& rates) {
  switch (algorithm.exact) {
    case Exact::everywhere: return true;
    case Exact::powers_of_two: return is_power_of_two(p);
    case Exact::topology: return false;
    case Exact::one_cost: return rates.alpha == rates.alpha_uni && rates.beta == rates.beta_uni;
  }
  return false;
}

/// All p to 40, and a few large ones where the schedules stay small enough to be replayed.
std::vector<int> all_p() {
  std::vector<int> all;
  for (int p = 1; p <= 40; ++p) all.push_back(p);
  for (const int p : {63, 64, 65, 96, 100, 127}) all.push_back(p);
  return all;
}

void compare(const Algorithm& algorithm, int p, std::size_t n, const Parameters& given,
             const Rates& rates, double& excess) {
  for (const Rank root : roots_of(algorithm, p)) {
    const Problem problem = problem_of(algorithm, p, n, root);
    const Parameters parameters = algorithm.resolve(problem, rates, given);
    const double replayed = replay_of(algorithm, problem, parameters, rates);
    const auto where = [&] {
      return fmt::format("{}, p = {}, root {}, n = {}, {}", algorithm.full_name(), p, root, n,
                         rates.alpha == rates.alpha_uni ? "one cost" : "two costs");
    };
    EXPECT_GE(replayed,
              lower_bound(algorithm.collective, p, static_cast<double>(n), rates) * (1 - 1e-9))
        << where() << ": faster than the lower bound";
    const double closed =
        algorithm.cost.value({p, static_cast<double>(n), root, true, parameters}, rates);
    if (is_exact(algorithm, p, rates))
      EXPECT_NEAR(closed, replayed, 1e-9 * replayed) << where();
    else
      EXPECT_GE(closed, replayed * (1 - 1e-9)) << where();
    if (replayed > 0) excess = std::max(excess, closed / replayed - 1);
  }
}

TEST(ClosedForms, EqualTheReplayOrBoundIt) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.exact == Exact::topology) continue;  // no closed form: see Compositions
    double excess = 0;
    for (const int p : all_p()) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      for (const std::size_t n : {divisible(p), 50 * divisible(p)})
        for (const Rates& rates : {one_cost, two_costs})
          compare(algorithm, p, n, even_parameters(algorithm, n), rates, excess);
    }
    if (excess > 1e-9)
      fmt::print("{}: a bound, at most {:.1f} % above the replay\n", algorithm.full_name(),
                 100 * excess);
  }
}

// The hybrids on every mesh, not only on the model's.
TEST(ClosedForms, OfHybridsHoldOnEveryMesh) {
  int compared = 0;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.name != "hybrid") continue;
    for (const int p : {1, 2, 3, 6, 8, 12, 16, 20, 30, 36}) {
      const std::size_t n = divisible(p);
      for (const Case& each : proof_cases(algorithm, p)) {
        if (each.problem.count == 0 && each.problem.counts.empty()) continue;
        // One case for each mesh, number of long dimensions and root.
        Problem problem = problem_of(algorithm, p, n, each.problem.root);
        for (const Rates& rates : {one_cost, two_costs}) {
          const auto all = schedules_of(problem, algorithm, each.parameters);
          const Size size{p, static_cast<double>(n), problem.root, true, each.parameters};
          const double replayed = replay(all, problem.element_bytes, rates);
          ASSERT_NEAR(algorithm.cost.value(size, rates), replayed, 1e-9 * replayed)
              << format_request(algorithm, each.parameters) << ", root " << problem.root;
          ASSERT_EQ(algorithm.rounds.value(size), steps_of(all, match(all)).count)
              << format_request(algorithm, each.parameters) << ", root " << problem.root;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

TEST(ClosedForms, OfKnomialTreesHoldForEveryRadix) {
  std::size_t trees = 0;
  double excess = 0;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.name != "knomial") continue;
    ++trees;
    for (const int p : {1, 2, 3, 5, 8, 13, 16, 27, 40, 64})
      for (const std::size_t radix : {3, 4, 5, 8, 16, 100})
        for (const Rates& rates : {one_cost, two_costs})
          compare(algorithm, p, divisible(p), {{"radix", radix}}, rates, excess);
  }
  EXPECT_EQ(trees, 4);
  EXPECT_LT(excess, 1e-9);
}

// Without commutativity some take another road.
TEST(ClosedForms, HoldForOperatorsThatDoNotCommute) {
  for (const Algorithm& algorithm : registry()) {
    if (!reduces(algorithm.collective) || algorithm.exact == Exact::topology) continue;
    for (int p = 1; p <= 20; ++p) {
      if (!algorithm.valid.unmet(p, false).empty()) continue;
      const std::size_t n = divisible(p);
      for (const Rates& rates : {one_cost, two_costs}) {
        Problem problem = problem_of(algorithm, p, n);
        problem.commutative = false;
        const Parameters parameters =
            algorithm.resolve(problem, rates, even_parameters(algorithm, n));
        const double replayed = replay_of(algorithm, problem, parameters, rates);
        const double closed =
            algorithm.cost.value({p, static_cast<double>(n), 0, false, parameters}, rates);
        if (is_exact(algorithm, p, rates))
          EXPECT_NEAR(closed, replayed, 1e-9 * replayed) << algorithm.full_name() << ", p = " << p;
        else
          EXPECT_GE(closed, replayed * (1 - 1e-9)) << algorithm.full_name() << ", p = " << p;
      }
    }
  }
}

TEST(ClosedForm, MessagesOfARoundOverlapWhereItIsKnownHowLongOneTakesToPost) {
  Rates rates{.alpha = 12e-6, .beta = 1e-9, .alpha_uni = 11e-6, .beta_uni = 1e-9};
  const auto seconds = [&](std::string_view request, double n) {
    const Request asked = parse_request(request);
    const Problem problem =
        Problem::even(asked.algorithm->collective, 8, static_cast<std::size_t>(n));
    return asked.algorithm->seconds(
        {8, n, 0, true, asked.algorithm->resolve(problem, rates, asked.parameters)}, rates);
  };
  const double linear = seconds("bcast/linear", 80), ring = seconds("allgather/ring", 80);
  const double two_shot = seconds("allreduce/two_shot", 80);
  const double chain = seconds("bcast/chain:segment=8", 80);
  const double tree = seconds("bcast/knomial:radix=4", 80);
  rates.post = 1e-6;
  EXPECT_NEAR(seconds("bcast/linear", 80), linear - 6 * 10e-6, 1e-12);
  EXPECT_NEAR(seconds("allreduce/two_shot", 80), two_shot - 12 * 11e-6, 1e-12);
  EXPECT_LT(seconds("bcast/knomial:radix=4", 80), tree);
  EXPECT_DOUBLE_EQ(seconds("allgather/ring", 80), ring);
  EXPECT_DOUBLE_EQ(seconds("bcast/chain:segment=8", 80), chain);  // pieces are answered
  rates.post = 20e-6;                                             // more than a message takes
  EXPECT_DOUBLE_EQ(seconds("bcast/linear", 80), linear);
}

}  // namespace
}  // namespace tutti::core
