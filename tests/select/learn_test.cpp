#include "select/learn.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace tutti {
namespace {

/// A program's ranks, each with a learner, whose calls take what `time` says.
class Program {
 public:
  using Time = std::function<double(std::size_t candidate, int rank)>;
  Program(int ranks, std::size_t candidates, Time time, double agreement = 0)
      : learners_(static_cast<std::size_t>(ranks), Learner(candidates)),
        time_(std::move(time)),
        agreement_(agreement) {}

  /// One call on all ranks. Returns the candidate that ran.
  std::size_t call() {
    const std::size_t ran = learners_[0].next();
    bool over = false;
    for (std::size_t r = 0; r < learners_.size(); ++r) {
      EXPECT_EQ(learners_[r].next(), ran) << "rank " << r << " is not in step";
      const bool ends = learners_[r].note(time_(ran, static_cast<int>(r)));
      EXPECT_TRUE(r == 0 || ends == over);
      over = ends;
    }
    if (over) agree();
    return ran;
  }

  const Learner& learner() const { return learners_[0]; }
  int agreements() const { return agreements_; }

 private:
  void agree() {
    std::vector<double> longest(learners_[0].lap().begin(), learners_[0].lap().end());
    for (const Learner& each : learners_)
      for (std::size_t i = 0; i < longest.size(); ++i)
        longest[i] = std::max(longest[i], each.lap()[i]);
    for (Learner& each : learners_) {
      each.agree(longest);
      each.note_agreement(agreement_);
    }
    ++agreements_;
  }

  std::vector<Learner> learners_;
  Time time_;
  double agreement_;
  int agreements_ = 0;
};

constexpr int first_lap(std::size_t candidates) {
  return static_cast<int>(candidates) * (Learner::turns + 1);
}

TEST(Learner, TakesTheFastest) {
  const double times[] = {12e-6, 15e-6, 10e-6, 30e-6};
  Program program(3, 4, [&](std::size_t c, int rank) { return times[c] + rank * 1e-7; });
  std::vector<int> ran(4);
  for (int i = 0; i < first_lap(4); ++i) ++ran[program.call()];
  EXPECT_EQ(ran, std::vector<int>(4, Learner::turns + 1)) << "all take turns";
  EXPECT_TRUE(program.learner().settled()) << "the others are clearly slower";
  EXPECT_EQ(program.learner().next(), 2u);
  EXPECT_NEAR(program.learner().seconds(2), 10.2e-6, 1e-12) << "of the slowest rank";
  EXPECT_EQ(program.call(), 2u);
  EXPECT_EQ(program.agreements(), 1);
}

TEST(Learner, OneCandidateNeedsNoLearning) {
  const Learner learner(1);
  EXPECT_TRUE(learner.settled());
  EXPECT_EQ(learner.next(), 0u);
}

TEST(Learner, EqualTimesLeaveTheModelsChoice) {
  Program program(2, 3, [](std::size_t c, int) { return c == 2 ? 9.8e-6 : 10e-6; });
  int calls = 0;
  while (!program.learner().settled() && ++calls < 100000) program.call();
  EXPECT_TRUE(program.learner().settled());
  EXPECT_EQ(program.learner().next(), 0u);
  EXPECT_EQ(program.agreements(), Learner::laps);
}

TEST(Learner, WhoIsOutNeverRunsAgain) {
  const double times[] = {10e-6, 10.5e-6, 20e-6};
  Program program(2, 3, [&](std::size_t c, int) { return times[c]; });
  for (int i = 0; i < first_lap(3); ++i) program.call();
  EXPECT_TRUE(program.learner().is_out(2));
  EXPECT_FALSE(program.learner().is_out(1));
  for (int i = 0; i < 10000; ++i) EXPECT_NE(program.call(), 2u);
}

/// After the first lap, at any time.
TEST(Learner, HoldsTheShare) {
  const double times[] = {10e-6, 10.8e-6, 10.6e-6, 10.9e-6};
  const double agreement = 10e-6;
  Program program(
      2, 4, [&](std::size_t c, int) { return times[c]; }, agreement);
  for (int i = 0; i < first_lap(4); ++i) program.call();
  ASSERT_FALSE(program.learner().settled());
  double spent = 0, total = 0;
  for (int i = 0; i < 20000; ++i) {
    const int before = program.agreements();
    const double took = times[program.call()];
    const double agreeing = program.agreements() > before ? agreement : 0;
    spent += took - times[0] + agreeing;
    total += took + agreeing;
    ASSERT_LE(spent, Learner::share * total + 1e-12) << "at call " << i;
  }
  EXPECT_TRUE(program.learner().settled());
  EXPECT_EQ(program.agreements(), Learner::laps) << "laps did come";
  EXPECT_EQ(program.learner().next(), 0u);
}

/// What agreeing takes is known one lap later: by the end the share holds.
TEST(Learner, PaysForLongAgreements) {
  const double times[] = {1e-6, 1.05e-6};
  const double agreement = 20e-6;
  Program program(
      2, 2, [&](std::size_t c, int) { return times[c]; }, agreement);
  for (int i = 0; i < first_lap(2); ++i) program.call();
  double spent = 0, total = 0;
  for (int i = 0; i < 20000 && !program.learner().settled(); ++i) {
    const int before = program.agreements();
    const double took = times[program.call()];
    const double agreeing = program.agreements() > before ? agreement : 0;
    spent += took - times[0] + agreeing;
    total += took + agreeing;
  }
  EXPECT_TRUE(program.learner().settled());
  EXPECT_EQ(program.agreements(), Learner::laps);
  EXPECT_LE(spent, Learner::share * total);
  EXPECT_GE(spent, 0.5 * Learner::share * total) << "it waits longer than it must";
}

TEST(Learner, FindsTheFastestInNoise) {
  int right = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<double> noise(1.0);
    std::bernoulli_distribution disturbed(0.05);
    const double times[] = {13e-6, 10e-6, 12.5e-6};
    Program program(4, 3, [&](std::size_t c, int) {
      return times[c] * (1 + 0.1 * noise(random)) + (disturbed(random) ? 1e-3 : 0);
    });
    for (int i = 0; i < 200000 && !program.learner().settled(); ++i) program.call();
    EXPECT_TRUE(program.learner().settled()) << "seed " << seed;
    right += program.learner().next() == 1;
  }
  EXPECT_GE(right, 190);
}

TEST(Learner, TimesOfNothingDoNotStopIt) {
  Program program(2, 2, [](std::size_t, int) { return 0.0; });
  for (int i = 0; i < 100; ++i) program.call();
  EXPECT_TRUE(program.learner().settled());
  EXPECT_EQ(program.learner().next(), 0u);
}

TEST(Learner, UsualIsTheLowerMiddle) {
  EXPECT_EQ(Learner::usual({}), 0);
  EXPECT_EQ(Learner::usual({3, 1}), 1);
  EXPECT_EQ(Learner::usual({9, 1, 3}), 3);
  EXPECT_EQ(Learner::usual({9, 1, 3, 4}), 3);
}

}  // namespace
}  // namespace tutti
