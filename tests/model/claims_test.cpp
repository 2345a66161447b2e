// What every row of the registry claims, against the schedules.

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "model/bounds.hpp"
#include "request/request.hpp"
#include "schedule/match.hpp"

namespace tutti::core {
namespace {

TEST(Claims, RoundsAreCommunicationRounds) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 40; ++p) {
      if (algorithm.exact == Exact::topology) continue;  // see Compositions
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

/// Parameters on which scratch depends; the first set needs the most.
std::vector<Parameters> sets_for_scratch(const Algorithm& algorithm) {
  if (algorithm.name != "knomial") return {{}};
  return {{{"radix", 2}}, {{"radix", 3}}, {{"radix", 5}}, {{"radix", 40}}};
}

TEST(Claims, ScratchIsEnough) {
  for (const Algorithm& algorithm : registry())
    for (int p = 1; p <= 40; ++p)
      for (const bool commutative : {true, false}) {
        if (algorithm.exact == Exact::topology) continue;  // see Compositions
        if (!algorithm.valid.unmet(p, commutative).empty()) continue;
        const std::size_t n = divisible(p);
        for (const Rank root : roots_of(algorithm, p))
          for (const bool in_place : {false, true}) {
            if (in_place && !allows_in_place(algorithm.collective)) continue;
            Problem problem = problem_of(algorithm, p, n, root);
            problem.commutative = commutative;
            problem.in_place.assign(p, in_place && !has_root(algorithm.collective));
            if (in_place) problem.in_place[root] = true;
            for (const Parameters& given : sets_for_scratch(algorithm))
              EXPECT_LE(most_scratch(schedules_of(problem, algorithm,
                                                  algorithm.resolve(problem, one_cost, given))),
                        algorithm.scratch.value(problem))
                  << format_request(algorithm, given) << ", " << problem.describe();
          }
      }
}

TEST(Claims, ScratchIsNeeded) {
  const int p = 8;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.exact == Exact::topology) continue;  // its claims are bounds
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
          const Parameters parameters =
              algorithm.resolve(problem, one_cost, sets_for_scratch(algorithm).front());
          const std::size_t claim = algorithm.scratch.value(problem);
          used = std::max(used, most_scratch(schedules_of(problem, algorithm, parameters)));
          claimed = std::max(claimed, claim);
        }
      }
    EXPECT_EQ(used, claimed) << algorithm.full_name() << " claims more than any rank uses";
  }
}

/// The inner algorithm and its problem.
std::pair<const Algorithm*, Problem> inner_of(const Algorithm& algorithm, const Problem& problem,
                                              const Parameters& parameters) {
  const InnerProblem& inner = *algorithm.inner()->inner;
  return {&inner_algorithm(inner.collective, parameters.at("inner")),
          inner.of(problem, parameters)};
}

// On a node each a composition is its inner algorithm, in rounds and in time.
TEST(Compositions, AreTheInnerAlgorithmWhereEachRankHasANode) {
  int compared = 0;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.exact != Exact::topology) continue;
    for (int p = 1; p <= 17; ++p)
      for (const Rank root : roots_of(algorithm, p)) {
        Problem problem = problem_of(algorithm, p, divisible(p), root);
        problem.topology = std::make_shared<const Topology>(Topology::one_rank_per_node(p));
        if (algorithm.collective == Collective::scan) continue;  // it puts an exscan before
        const Parameters parameters = algorithm.resolve(problem, one_cost);
        const auto [inner, between] = inner_of(algorithm, problem, parameters);
        const auto all = schedules_of(problem, algorithm, parameters);
        const auto flat = schedules_of(between, *inner, inner_parameters(parameters));
        EXPECT_EQ(steps_of(all, match(all)).count, steps_of(flat, match(flat)).count)
            << algorithm.full_name() << ", p = " << p;
        EXPECT_NEAR(replay(all, problem.element_bytes, one_cost),
                    replay(flat, problem.element_bytes, one_cost), 1e-12)
            << algorithm.full_name() << ", p = " << p;
        ++compared;
      }
  }
  EXPECT_GT(compared, 300);
}

/// The rounds outside the inner algorithm, as the text says: `2 + inner`; the most of them.
int own_rounds(const Algorithm& algorithm, const Topology& topology) {
  int most = 0;
  for (std::string_view rest = algorithm.rounds.text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (topology.is_uniform() && part.starts_with(" unequal nodes:")) continue;
    int own = 0;
    for (const char digit : part) own += digit >= '0' && digit <= '9' ? digit - '0' : 0;
    most = std::max(most, own);
  }
  return most;
}

// The rounds and the scratch are the inner algorithm's and those that the row claims besides.
TEST(Compositions, TakeTheInnerAlgorithmsRoundsAndScratchAndTheirOwn) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.exact != Exact::topology) continue;
    for (const char* text :
         {"1x6", "3x4", "4x3:cyclic", "5x1", "0,0,0,0,0,1,2,2", "0,1,2,0,1,0,0", "2x2x2",
          "0.0,0.0,0.0,0.0,0.1,1.0,1.0,1.0,1.0,1.1,2.0,2.0,2.0,2.0,2.1"})
      for (const bool in_place : {false, true}) {
        if (in_place && !allows_in_place(algorithm.collective)) continue;
        const auto topology = parse_topology(text);
        const int p = topology->p();
        for (const Rank root : roots_of(algorithm, p)) {
          Problem problem = problem_of(algorithm, p, divisible(p), root);
          problem.topology = topology;
          problem.in_place.assign(p, in_place && !has_root(algorithm.collective));
          if (in_place) problem.in_place[root] = true;
          if (!algorithm.unmet(problem).empty()) continue;
          for (const std::size_t leaders : {0, 1, 2, 3}) {
            Parameters given;
            if (algorithm.name == "multi_leader") given.emplace("leaders", leaders);
            const Parameters parameters = algorithm.resolve(problem, one_cost, given);
            const auto [inner, between] = inner_of(algorithm, problem, parameters);
            const auto all = schedules_of(problem, algorithm, parameters);
            const auto flat = schedules_of(between, *inner, inner_parameters(parameters));
            const std::string where = algorithm.full_name() + ", " + text;
            EXPECT_LE(steps_of(all, match(all)).count,
                      own_rounds(algorithm, *topology) + steps_of(flat, match(flat)).count)
                << where;
            EXPECT_GE(replay(all, problem.element_bytes, two_costs),
                      lower_bound(problem, two_costs) * (1 - 1e-9))
                << where << ": faster than the lower bound";
            EXPECT_LE(most_scratch(all),
                      algorithm.scratch.value(problem) + inner->scratch.value(between))
                << where;
          }
        }
      }
  }
}

}  // namespace
}  // namespace tutti::core
