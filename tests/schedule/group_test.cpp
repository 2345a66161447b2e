#include "schedule/group.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

TEST(Group, AllRanksInOrder) {
  const Group g = Group::all(5, 3);
  EXPECT_EQ(g.size(), 5);
  EXPECT_EQ(g.rank(), 3);
  EXPECT_EQ(g.at(4), 4);
  EXPECT_TRUE(g.has_me());
}

TEST(Group, ListedRanks) {
  const Group g({4, 0, 7}, 7);
  EXPECT_EQ(g.size(), 3);
  EXPECT_EQ(g.rank(), 2);
  EXPECT_EQ(g.at(0), 4);
}

TEST(Group, KnowsWhoIsNotAMember) {
  const Group g({4, 0, 7}, 5);
  EXPECT_FALSE(g.has_me());
  EXPECT_EQ(g.rank(), g.size());
}

}  // namespace
}  // namespace tutti::core
