// What every row of the registry claims, against the schedules.

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "schedule/match.hpp"

namespace tutti {
namespace {

TEST(Claims, RoundsAreCommunicationRounds) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 40; ++p) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      const std::size_t n = divisible(p);
      for (const Rank root : roots_of(algorithm, p)) {
        const Problem problem = problem_of(algorithm, p, n, root);
        const Parameters parameters =
            algorithm.resolve(problem, one_cost, even_parameters(algorithm, n));
        const auto all = schedules_of(problem, algorithm, parameters);
        const int claimed =
            algorithm.rounds.value({p, static_cast<double>(n), root, true, parameters});
        const int taken = steps_of(all, match(all)).count;
        if (algorithm.exact == Exact::powers_of_two && !is_power_of_two(p))
          EXPECT_GE(claimed, taken) << algorithm.full_name() << ", p = " << p << ", root " << root;
        else
          EXPECT_EQ(claimed, taken) << algorithm.full_name() << ", p = " << p << ", root " << root;
      }
    }
}

std::size_t most_scratch(const std::vector<Schedule>& all) {
  std::size_t most = 0;
  for (const Schedule& schedule : all) most = std::max(most, schedule.scratch);
  return most;
}

TEST(Claims, ScratchIsEnough) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 40; ++p)
      for (const bool commutative : {true, false}) {
        if (!algorithm.valid.unmet(p, commutative).empty()) continue;
        const std::size_t n = divisible(p);
        for (const Rank root : roots_of(algorithm, p))
          for (const bool in_place : {false, true}) {
            if (in_place && !allows_in_place(algorithm.collective)) continue;
            Problem problem = problem_of(algorithm, p, n, root);
            problem.commutative = commutative;
            problem.in_place.assign(p, in_place && !has_root(algorithm.collective));
            if (in_place) problem.in_place[root] = true;
            const Parameters parameters = algorithm.resolve(problem, one_cost);
            EXPECT_LE(most_scratch(schedules_of(problem, algorithm, parameters)),
                      algorithm.scratch.value(problem))
                << algorithm.full_name() << ", " << problem.describe();
          }
      }
}

TEST(Claims, ScratchIsNeeded) {
  const int p = 8;
  for (const Algorithm& algorithm : registry()) {
    std::size_t used = 0, claimed = 0;
    for (const bool commutative : {true, false})
      for (const bool in_place : {false, true}) {
        if (!algorithm.valid.unmet(p, commutative).empty()) continue;
        if (in_place && !allows_in_place(algorithm.collective)) continue;
        for (const Rank root : roots_of(algorithm, p)) {
          Problem problem = problem_of(algorithm, p, divisible(p), root);
          problem.commutative = commutative;
          problem.in_place.assign(p, in_place && !has_root(algorithm.collective));
          if (in_place) problem.in_place[root] = true;
          const Parameters parameters = algorithm.resolve(problem, one_cost);
          const std::size_t claim = algorithm.scratch.value(problem);
          used = std::max(used, most_scratch(schedules_of(problem, algorithm, parameters)));
          claimed = std::max(claimed, claim);
        }
      }
    EXPECT_EQ(used, claimed) << algorithm.full_name() << " claims more than any rank uses";
  }
}

}  // namespace
}  // namespace tutti
