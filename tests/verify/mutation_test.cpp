#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "execute/check.hpp"
#include "mutate.hpp"
#include "request/request.hpp"
#include "schedule/builder.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr int seeds = 8;

/// Whether the executor sees that the schedules no longer do what the problem asks.
bool means_something_else(const Problem& problem, const std::vector<Schedule>& schedules) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    for (const bool synchronous : {true, false})
      if (!run_and_check(problem, schedules, {.seed = seed, .synchronous = synchronous}).empty())
        return true;
  return false;
}

/// A scan along a chain, then everyone has a copy: every kind of action but plain reduce.
std::vector<Schedule> chain(int p) {
  const Slice mine{Buffer::input, 0, 4}, result{Buffer::output, 0, 4};
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    const Slice other = b.scratch(4);
    b.copy(Slices{mine.part(0, 2), mine.part(2, 2)}, Slices{other});
    b.round();
    if (r > 0) b.recv_reduce(other, r - 1, Side::left);
    b.round();
    if (r + 1 < p) b.send(Slices{other.part(0, 1), other.part(2, 2), other.part(1, 1)}, r + 1);
    b.copy(other, result);
    schedules.push_back(b.take());
  }
  // The message's elements come in another order than the slice's: undo it at the other end.
  for (Schedule& schedule : schedules) {
    LooseRounds rounds = take_apart(schedule);
    for (auto& round : rounds)
      for (Loose& loose : round)
        if (loose.action.receives()) {
          const Slice all = loose.slices[0];
          loose.slices = {all.part(0, 1), all.part(2, 2), all.part(1, 1)};
        }
    schedule = put_together(rounds, schedule);
  }
  return schedules;
}

TEST(Mutate, TakesApartAndPutsTogether) {
  for (const Schedule& schedule : chain(3))
    EXPECT_EQ(put_together(take_apart(schedule), schedule), schedule);
}

TEST(Mutate, EveryKindChangesTheScheduleAndIsCaught) {
  const Problem problem{.collective = Collective::scan, .p = 4, .count = 4, .commutative = false};
  const std::vector<Schedule> original = chain(4);
  ASSERT_FALSE(means_something_else(problem, original));
  ASSERT_TRUE(verify(problem, original).empty());
  std::mt19937_64 random(1);
  Mutator mutator(original, random);
  for (std::size_t kind = 0; kind < mutation_names.size(); ++kind) {
    if (static_cast<Mutation>(kind) == Mutation::change_constant) continue;  // there is none
    int caught = 0;
    for (int i = 0; i < 100; ++i) {
      const auto mutant = mutator.mutate(static_cast<Mutation>(kind));
      if (!mutant) continue;
      EXPECT_NE(*mutant, original) << mutator.what;
      if (!means_something_else(problem, *mutant)) continue;
      EXPECT_FALSE(verify(problem, *mutant).empty()) << mutator.what;
      ++caught;
    }
    EXPECT_GT(caught, 0) << mutation_names[kind];
  }
}

/// What mutants seldom do alone: they spoil only what the collective leaves as it was.
TEST(Mutation, ATouchOfWhatMustStayIsCaught) {
  const Problem problem{.collective = Collective::exscan, .p = 2, .count = 1};
  const Slice mine{Buffer::input, 0, 1}, result{Buffer::output, 0, 1};
  Builder a, b;
  a.send(mine, 1);
  b.recv(result, 0);
  ASSERT_TRUE(verify(problem, {a.schedule(), b.schedule()}).empty());
  a.copy(mine, result);
  const std::vector<Schedule> mutant{a.schedule(), b.schedule()};
  EXPECT_TRUE(means_something_else(problem, mutant));
  EXPECT_FALSE(verify(problem, mutant).empty());
}

/// The counts that travel ahead: whoever learns a wrong one would go on with wrong sizes.
TEST(Mutation, AWrongCountIsCaught) {
  for (const char* name : {"scatterv/binomial", "gatherv/binomial"}) {
    const Algorithm& algorithm = *parse_request(name).algorithm;
    for (int p = 2; p <= 16; ++p) {
      Problem problem = Problem::even(algorithm.collective, p, 5 * p);
      problem.root = p / 3;
      const std::vector<Schedule> original = schedules_of(problem, algorithm, {});
      ASSERT_TRUE(verify(problem, original).empty());
      int caught = 0;
      for (Rank r = 0; r < p; ++r)
        for (std::size_t i = 0; i < original[r].constants.size(); ++i) {
          std::vector<Schedule> mutant = original;
          mutant[r].constants[i].value += 7;
          const bool is_caught = !verify(problem, mutant).empty();
          EXPECT_EQ(is_caught, means_something_else(problem, mutant))
              << name << ", p = " << p << ", rank " << r << ", constant " << i;
          caught += is_caught;
        }
      EXPECT_EQ(caught > 0,
                std::ranges::any_of(
                    original, [](const Schedule& schedule) { return !schedule.stages.empty(); }))
          << name << ", p = " << p;
    }
  }
}

TEST(Mutation, EveryMutantOfTheCatalogueIsCaught) {
  constexpr int cases_each = 4, mutants_each = 24;
  struct Count {
    int made = 0, meaningless = 0, caught = 0, survived = 0;
  };
  std::map<std::string_view, Count> by_kind;
  Count all;
  std::mt19937_64 random(20050714);
  for (const Algorithm& algorithm : registry())
    for (const int p : {2, 3, 4, 5, 6, 7, 8, 9, 13}) {
      const std::vector<Case> cases = proof_cases(algorithm, p);
      for (int c = 0; c < cases_each && !cases.empty(); ++c) {
        const auto& [problem, parameters] = cases[random() % cases.size()];
        const std::vector<Schedule> original = schedules_of(problem, algorithm, parameters);
        Mutator mutator(original, random);
        for (int m = 0; m < mutants_each; ++m) {
          const std::size_t kind = random() % mutation_names.size();
          std::optional<std::vector<Schedule>> mutant;
          for (int attempt = 0; attempt < 8 && !mutant; ++attempt)
            mutant = mutator.mutate(static_cast<Mutation>(kind));
          if (!mutant) continue;
          Count one{.made = 1};
          if (!means_something_else(problem, *mutant))
            one.meaningless = 1;
          else if (!verify(problem, *mutant).empty())
            one.caught = 1;
          else
            one.survived = 1;
          EXPECT_EQ(one.survived, 0)
              << algorithm.full_name() << ", " << problem.describe() << ": " << mutator.what;
          for (Count* count : {&all, &by_kind[mutation_names[kind]]}) {
            count->made += one.made;
            count->meaningless += one.meaningless;
            count->caught += one.caught;
            count->survived += one.survived;
          }
        }
      }
    }
  fmt::print("mutants: made {}, meaningless {}, caught {}, survived {}\n", all.made,
             all.meaningless, all.caught, all.survived);
  EXPECT_GE(all.made, 10000);
  EXPECT_EQ(by_kind.size(), mutation_names.size());
  for (const auto& [kind, count] : by_kind) EXPECT_GT(count.caught, 50) << kind;
}

}  // namespace
}  // namespace tutti::core
