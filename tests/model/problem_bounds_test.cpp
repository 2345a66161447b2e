// Lower bounds of problems, whose blocks may be unequal.

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "cases.hpp"
#include "model/bounds.hpp"

namespace tutti::core {
namespace {

constexpr Rates problem_rates{
    .alpha = 1000, .beta = 10, .gamma = 1, .alpha_uni = 900, .beta_uni = 8};

Problem with(Collective collective, int p, std::vector<std::size_t> counts, Rank root = 0) {
  Problem problem{.collective = collective, .p = p, .root = root, .counts = std::move(counts)};
  problem.validate();
  return problem;
}

TEST(ProblemBounds, EqualBlocksAreBoundAsEver) {
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    if (is_irregular(collective)) continue;
    for (const int p : {1, 2, 3, 8})
      for (const std::size_t total : {0, 24, 4800})
        for (const std::size_t element_bytes : {1, 8}) {
          Problem problem = Problem::even(collective, p, total);
          problem.element_bytes = element_bytes;
          EXPECT_DOUBLE_EQ(
              lower_bound(problem, problem_rates),
              lower_bound(collective, p, static_cast<double>(total * element_bytes), problem_rates))
              << problem.describe();
        }
  }
}

// Lists of equal blocks: the same bytes; only what all need counts more than one message.
TEST(ProblemBounds, ListsOfEqualBlocks) {
  for (const int p : {2, 3, 8}) {
    const Problem allgatherv = Problem::even(Collective::allgatherv, p, 24u * p);
    EXPECT_DOUBLE_EQ(lower_bound(allgatherv, problem_rates),
                     lower_bound(Collective::allgatherv, p, 24.0 * p, problem_rates));
    for (const Collective collective :
         {Collective::scatterv, Collective::gatherv, Collective::alltoallv, Collective::alltoallw,
          Collective::reduce_scatter}) {
      const double bound = lower_bound(Problem::even(collective, p, 24u * p), problem_rates);
      EXPECT_GE(bound, 900 + 24.0 * (p - 1) * 8) << name_of(collective);
      EXPECT_LE(bound, lower_bound(collective, p, 24.0 * p, problem_rates)) << name_of(collective);
    }
  }
}

TEST(ProblemBounds, UnequalBlocks) {
  // All need all; whoever has least receives most.
  EXPECT_DOUBLE_EQ(lower_bound(with(Collective::allgatherv, 3, {100, 20, 5}), problem_rates),
                   2 * 900 + 120 * 8);
  EXPECT_DOUBLE_EQ(lower_bound(with(Collective::allgatherv, 5, {100, 0, 0, 0, 0}), problem_rates),
                   3 * 900 + 100 * 8);
  // The root's own block stays.
  for (const Collective collective : {Collective::scatterv, Collective::gatherv}) {
    EXPECT_DOUBLE_EQ(lower_bound(with(collective, 3, {100, 20, 5}), problem_rates), 900 + 25 * 8);
    EXPECT_DOUBLE_EQ(lower_bound(with(collective, 3, {100, 20, 5}, 2), problem_rates),
                     900 + 120 * 8);
  }
  // Row i is what rank i sends. Rank 1 sends 40, rank 0 receives 50.
  EXPECT_DOUBLE_EQ(
      lower_bound(with(Collective::alltoallv, 3, {99, 1, 2, 30, 99, 10, 20, 0, 99}), problem_rates),
      900 + 50 * 8);
}

TEST(ProblemBounds, ElementsHaveBytes) {
  Problem problem = with(Collective::allgatherv, 3, {100, 20, 5});
  problem.element_bytes = 4;
  EXPECT_DOUBLE_EQ(lower_bound(problem, problem_rates), 2 * 900 + 480 * 8);
}

TEST(ProblemBounds, NothingToMoveTakesNoTime) {
  EXPECT_EQ(lower_bound(with(Collective::allgatherv, 3, {0, 0, 0}), problem_rates), 0);
  EXPECT_EQ(lower_bound(with(Collective::allgatherv, 1, {7}), problem_rates), 0);
  EXPECT_EQ(lower_bound(with(Collective::gatherv, 3, {0, 9, 0}, 1), problem_rates), 0);
  EXPECT_EQ(lower_bound(with(Collective::alltoallv, 2, {5, 0, 0, 5}), problem_rates), 0);
}

/// Lists of p sizes: one rank has all, nearly all or half of them have some, and by chance.
std::vector<std::vector<std::size_t>> lists(int p, std::mt19937_64& random) {
  std::vector<std::vector<std::size_t>> all(6, std::vector<std::size_t>(p, 0));
  all[0][0] = 3000;
  all[1][p - 1] = 3000;
  for (int i = 0; i < p; ++i) {
    all[2][i] = i == p / 2 ? 2000 : 3;
    all[3][i] = i % 2 == 0 ? 500 : 0;
    all[4][i] = 100u * (p - 1 - i);
    all[5][i] = random() % 400;
  }
  return all;
}

std::vector<Problem> problems(Collective collective, int p, std::mt19937_64& random) {
  std::vector<Problem> all;
  for (const auto& sizes : lists(p, random)) {
    Problem problem{.collective = collective, .p = p};
    if (is_alltoall(collective)) {
      for (int i = 0; i < p; ++i)
        for (int j = 0; j < p; ++j) problem.counts.push_back(sizes[(i * 3 + j) % p]);
    } else {
      problem.counts = sizes;
    }
    problem.element_bytes = usual_element_bytes(collective);
    all.push_back(problem);
  }
  return all;
}

// What a schedule takes is a proof that it can be done in that time.
TEST(ProblemBounds, NoScheduleIsFaster) {
  std::mt19937_64 random(5);
  int compared = 0;
  for (const Algorithm& algorithm : registry()) {
    if (!is_irregular(algorithm.collective)) continue;
    for (int p = 1; p <= 9; ++p) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      for (Problem problem : problems(algorithm.collective, p, random))
        for (const Rank root : roots_of(algorithm, p))
          for (const Rates& each : {one_cost, two_costs}) {
            problem.root = root;
            const double replayed =
                replay_of(algorithm, problem, algorithm.resolve(problem, each), each);
            EXPECT_GE(replayed, lower_bound(problem, each) * (1 - 1e-9))
                << algorithm.full_name() << ", " << problem.describe() << ", root " << root;
            ++compared;
          }
    }
  }
  EXPECT_GT(compared, 1000);
}

// The same for all collectives, with blocks that the size does not divide.
TEST(ProblemBounds, NoScheduleOfOtherSizesIsFaster) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 9; ++p) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      for (const std::size_t total : {0, 1, 10, 1001})
        for (const Rank root : roots_of(algorithm, p)) {
          Problem problem = Problem::even(algorithm.collective, p, total);
          problem.root = root;
          problem.element_bytes = usual_element_bytes(algorithm.collective);
          const double replayed =
              replay_of(algorithm, problem, algorithm.resolve(problem, two_costs), two_costs);
          EXPECT_GE(replayed, lower_bound(problem, two_costs) * (1 - 1e-9))
              << algorithm.full_name() << ", " << problem.describe() << ", root " << root;
        }
    }
}

}  // namespace
}  // namespace tutti::core
