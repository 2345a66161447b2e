#include "select/young.hpp"

#include <gtest/gtest.h>

#include "schedule/bytes.hpp"

namespace tutti::core {
namespace {

int first_calls(Young& young, Collective collective, std::optional<std::size_t> bytes, int p = 4) {
  int calls = 0;
  while (young.note(collective, size_class_of(bytes), p)) ++calls;
  return calls;
}

TEST(Young, SmallCallsComeOftenFirstAndLargeOnesNever) {
  Young young(64);
  EXPECT_EQ(first_calls(young, Collective::allreduce, 8), 63);  // 64 / (1 + 8 / 4096), whole
  EXPECT_EQ(first_calls(young, Collective::allreduce, 4096), 32);
  EXPECT_EQ(first_calls(young, Collective::allreduce, 64 << 10), 3);
  EXPECT_EQ(first_calls(young, Collective::allreduce, 1 << 20), 0);
}

TEST(Young, EachClassCountsForItself) {
  Young young(2);
  EXPECT_TRUE(young.note(Collective::bcast, 3, 4));
  EXPECT_TRUE(young.note(Collective::allreduce, 3, 4));
  EXPECT_TRUE(young.note(Collective::bcast, 4, 4));
  EXPECT_FALSE(young.note(Collective::bcast, 3, 4));
  EXPECT_FALSE(young.note(Collective::bcast, 3, 4));
}

TEST(Young, WhereBytesAreNotKnownAlikeEachRankMayHaveAKilobyte) {
  Young young(64);
  EXPECT_EQ(first_calls(young, Collective::alltoallv, std::nullopt, 4), 32);
}

TEST(Young, NobodyComesFirstWhereNoneShall) {
  Young young(0);
  EXPECT_FALSE(young.note(Collective::barrier, 0, 4));
}

}  // namespace
}  // namespace tutti::core
