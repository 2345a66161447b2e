#include "select/young.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

using Bytes = std::optional<std::size_t>;

/// A communicator, as far as it counts calls.
struct Counts {
  explicit Counts(std::size_t few) : young(few), kinds(few) {}
  Young young;
  YoungKinds kinds;
};

/// As a communicator does.
bool is_first(Counts& counts, Collective collective, Bytes bytes, int root = 0, int p = 4) {
  if (counts.young.has_earned()) return counts.kinds.note(collective, bytes, root, p);
  if (counts.young.note(collective, bytes, p)) return true;
  counts.kinds.earn(collective, bytes, root);
  return false;
}
int first_calls(Counts& young, Collective collective, Bytes bytes, int p = 4) {
  int calls = 0;
  while (is_first(young, collective, bytes, 0, p)) ++calls;
  return calls;
}
int first_calls_of_all(std::size_t few, Collective collective, Bytes bytes, int p = 4) {
  Counts young(few);
  return first_calls(young, collective, bytes, p);
}

TEST(Young, SmallCallsComeOftenFirstAndLargeOnesNever) {
  // 64 / (1 + 8 / 4096), whole
  EXPECT_EQ(first_calls_of_all(64, Collective::allreduce, 8), 63);
  EXPECT_EQ(first_calls_of_all(64, Collective::allreduce, 4096), 32);
  EXPECT_EQ(first_calls_of_all(64, Collective::allreduce, 64 << 10), 3);
  EXPECT_EQ(first_calls_of_all(64, Collective::allreduce, 1 << 20), 0);
}

TEST(Young, EachClassCountsForItself) {
  Counts young(2);
  EXPECT_TRUE(is_first(young, Collective::bcast, 8));
  EXPECT_TRUE(is_first(young, Collective::allreduce, 8));
  EXPECT_TRUE(is_first(young, Collective::bcast, 16));
  EXPECT_FALSE(is_first(young, Collective::bcast, 8));
  EXPECT_FALSE(is_first(young, Collective::bcast, 8));
}

/// What all calls need is there once one class has earned it.
TEST(Young, AfterTheFirstClassOnlySchedulesAreEarned) {
  Counts young(64);
  first_calls(young, Collective::bcast, 8);
  EXPECT_EQ(first_calls(young, Collective::bcast, 8), 0);
  EXPECT_EQ(first_calls(young, Collective::bcast, 7), 15) << "another size of the class";
  EXPECT_EQ(first_calls(young, Collective::allreduce, 8), 15);
  EXPECT_EQ(first_calls(young, Collective::allreduce, 64 << 10), 0);
  int calls = 0;
  while (is_first(young, Collective::bcast, 8, 1)) ++calls;
  EXPECT_EQ(calls, 15) << "another root";
}

/// A rank whose plan was dropped asks again, and the others do not: what was earned stays.
TEST(Young, WhatWasEarnedStays) {
  Counts one(64), other(64);
  for (Counts* each : {&one, &other}) first_calls(*each, Collective::bcast, 8);
  for (std::size_t bytes = 1; bytes < 2000; ++bytes) {
    EXPECT_EQ(first_calls(one, Collective::bcast, bytes),
              first_calls(other, Collective::bcast, bytes));
    for (std::size_t again = 1; again <= bytes; again += 97)
      EXPECT_FALSE(is_first(one, Collective::bcast, again));
  }
}

TEST(Young, WhereBytesAreNotKnownAlikeEachRankMayHaveAKilobyte) {
  EXPECT_EQ(first_calls_of_all(64, Collective::alltoallv, std::nullopt, 4), 32);
}

/// Preparing for many ranks takes longer: what they have in all is not many bytes because they are
/// many.
TEST(Young, ManyRanksComeFirstAsOftenAsFew) {
  for (const int p : {64, 256, 4096, 65536}) {
    EXPECT_EQ(first_calls_of_all(64, Collective::gatherv, std::nullopt, p), 3) << p;
    EXPECT_EQ(first_calls_of_all(64, Collective::allgather, 8 * p, p), 56) << p;
  }
}

TEST(Young, WhatAProfileDecidesIsEarnedSooner) {
  YoungKinds kinds(64);
  int calls = 0;
  while (kinds.note(Collective::bcast, 8, 0, 4, true)) ++calls;
  EXPECT_EQ(calls, 3);
}

/// Several communicators of the same ranks count together, and what is earned is had by one.
TEST(Young, WhatWasEarnedIsHadOnce) {
  Young young(4);
  for (int made = 0; made < 3; ++made) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(young.note(Collective::barrier, 0, 4));
    EXPECT_FALSE(young.has_earned());
    EXPECT_FALSE(young.note(Collective::barrier, 0, 4));
    EXPECT_TRUE(young.has_earned());
    young.begin_again();
  }
}

TEST(Young, NobodyComesFirstWhereNoneShall) {
  Counts young(0);
  EXPECT_FALSE(is_first(young, Collective::barrier, 0));
}

}  // namespace
}  // namespace tutti::core
