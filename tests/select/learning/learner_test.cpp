#include "select/learning/learner.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <utility>

namespace tutti::core {
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
      const bool ends = learners_[r].note(begin_, begin_ + time_(ran, static_cast<int>(r)));
      EXPECT_TRUE(r == 0 || ends == over);
      over = ends;
    }
    begin_ += 1;
    if (over) agree();
    return ran;
  }

  const Learner& learner() const { return learners_[0]; }
  int agreements() const { return agreements_; }

 private:
  void agree() {
    std::vector<double> latest(learners_[0].lap().begin(), learners_[0].lap().end());
    for (const Learner& each : learners_)
      for (std::size_t i = 0; i < latest.size(); ++i)
        latest[i] = std::max(latest[i], each.lap()[i]);
    for (Learner& each : learners_) {
      each.agree(latest);
      each.note_agreement(agreement_);
    }
    ++agreements_;
  }

  std::vector<Learner> learners_;
  Time time_;
  double agreement_;
  double begin_ = 0;  // of the next call
  int agreements_ = 0;
};

constexpr int first_lap(std::size_t candidates) {
  return static_cast<int>(candidates) * (Learner::turns[0] + 1);
}

TEST(Learner, TakesTheFastest) {
  const double times[] = {13e-6, 15e-6, 10e-6, 30e-6};
  Program program(3, 4, [&](std::size_t c, int rank) { return times[c] + rank * 1e-7; });
  std::vector<int> ran(4);
  for (int i = 0; i < first_lap(4); ++i) ++ran[program.call()];
  EXPECT_EQ(ran, std::vector<int>(4, Learner::turns[0] + 1)) << "all take turns";
  EXPECT_EQ(program.learner().next(), 2u);
  EXPECT_NEAR(program.learner().seconds(2), 10.2e-6, 1e-12) << "of the slowest rank";
  EXPECT_EQ(program.call(), 2u) << "until the next lap";
  for (int i = 0; i < 10000 && !program.learner().settled(); ++i) program.call();
  EXPECT_TRUE(program.learner().settled());
  EXPECT_EQ(program.learner().next(), 2u);
  EXPECT_LT(program.agreements(), Learner::laps) << "the others are clearly slower";
}

/// A call that takes milliseconds more is not made twice as often as it must be.
TEST(Learner, DearTurnsAreFew) {
  const double times[] = {40e-3, 45e-3, 300e-3};
  Program program(2, 3, [&](std::size_t c, int) { return times[c]; });
  int ran = 0;
  for (int i = 0; i < 1000; ++i) ran += program.call() == 2;
  EXPECT_EQ(ran, Learner::turns[0] + 1);
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
  EXPECT_LT(program.agreements(), Learner::laps) << "more turns would tell no more";
  EXPECT_TRUE(program.learner().is_like_best(1));
  EXPECT_TRUE(program.learner().is_like_best(2));
}

/// Ranks come late by as much as a call takes, now and then; nothing is known of who is faster.
TEST(Learner, GivesUpWhatLatenessHides) {
  int kept = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<double> late(1.0);
    Program program(
        1, 2, [&](std::size_t c, int) { return (c == 0 ? 10e-6 : 9.8e-6) * (1 + late(random)); });
    for (int i = 0; i < 100000 && !program.learner().settled(); ++i) program.call();
    kept += program.learner().next() == 0;
  }
  EXPECT_GE(kept, 120) << "the model's choice stays more often than not";
}

/// As the last one to come sees it.
TEST(Learner, WaitingIsNoWork) {
  Learner learner(2);
  for (int i = 0; i < 100000 && !learner.settled(); ++i) {
    const std::size_t ran = learner.next();
    const double late = ran == 0 ? 50e-6 : 1e-6;  // the second one is slower, but nobody waits
    const double end = i + late + (ran == 0 ? 10e-6 : 20e-6);
    if (!learner.note(i, end)) continue;
    std::vector<double> latest(learner.lap().begin(), learner.lap().end());
    ASSERT_EQ(latest.size() % 2, 1u);
    for (std::size_t turn = 0; 2 * turn + 1 < latest.size(); ++turn) {
      const double other = latest[2 * turn + 1] - latest[2 * turn] > 40e-6 ? 50e-6 : 1e-6;
      latest[2 * turn] += other;  // the other rank's begin
    }
    learner.agree(latest);
  }
  EXPECT_EQ(learner.next(), 0u);
}

TEST(Learner, WhoIsOutNeverRunsAgain) {
  const double times[] = {10e-6, 10.5e-6, 30e-6};
  Program program(2, 3, [&](std::size_t c, int) { return times[c]; });
  while (program.agreements() < 2) program.call();
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

TEST(Learner, UsualIsTheMeanOfTheShorterTwoThirds) {
  EXPECT_EQ(Learner::usual({}), 0);
  EXPECT_EQ(Learner::usual({5}), 5);
  EXPECT_EQ(Learner::usual({3, 1}), 1);
  EXPECT_EQ(Learner::usual({9, 1, 3}), 2);
  EXPECT_EQ(Learner::usual({9, 1, 3, 5}), 2);
  EXPECT_EQ(Learner::usual({9, 8, 1, 3, 5, 7}), 4);
}

/// Quick in every other call, else four times as slow: its median may be the least.
TEST(Learner, CountsWhatIsSlowNowAndThen) {
  int right = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::bernoulli_distribution slow(0.5);
    std::normal_distribution<double> noise(1, 0.03);
    Program program(1, 2, [&](std::size_t c, int) {
      return noise(random) * (c == 0 ? 9e-6 * (slow(random) ? 4 : 1) : 10e-6);
    });
    for (int i = 0; i < 200000 && !program.learner().settled(); ++i) program.call();
    right += program.learner().next() == 1;
  }
  EXPECT_GE(right, 165);
}

/// As long as turns change with every call both look alike.
TEST(Learner, FindsWhoIsSlowAfterItsOwnKind) {
  std::size_t last = 9;
  Program program(1, 2, [&](std::size_t c, int) {
    return std::exchange(last, c) == c && c == 0 ? 20e-6 : c == 0 ? 9e-6 : 10e-6;
  });
  for (int i = 0; i < 200000 && !program.learner().settled(); ++i) program.call();
  EXPECT_EQ(program.learner().next(), 1u);
}

/// Calls of all sizes learn together: a little gained at one of them is no reason.
TEST(Learner, IsCautiousWhereSizesAreNotKnown) {
  for (const double second : {7.5e-6, 6e-6}) {
    Learner learner(2, Learner::tie_of_sizes);
    for (int i = 0; i < 100000 && !learner.settled(); ++i)
      if (learner.note(0, learner.next() == 0 ? 10e-6 : second)) learner.agree(learner.lap());
    EXPECT_EQ(learner.next(), second < 6.5e-6 ? 1u : 0u) << second;
  }
}

}  // namespace
}  // namespace tutti::core
