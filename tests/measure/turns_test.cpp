#include "measure/turns.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace tutti::core {
namespace {

TEST(Turns, EveryoneHasOneInEveryRound) {
  for (std::size_t number = 1; number <= 20; ++number)
    for (std::size_t round = 0; round < 3 * number; ++round) {
      std::set<std::size_t> seen;
      for (std::size_t k = 0; k < number; ++k) seen.insert(turn_of(k, round, number));
      EXPECT_EQ(seen.size(), number);
      EXPECT_LT(*seen.rbegin(), number);
    }
}

TEST(Turns, EveryoneFollowsEveryOtherEquallyOften) {
  for (std::size_t number = 2; number <= 20; ++number) {
    std::map<std::pair<std::size_t, std::size_t>, int> follows;
    for (std::size_t round = 0; round < 2 * number; ++round)
      for (std::size_t k = 1; k < number; ++k)
        ++follows[{turn_of(k - 1, round, number), turn_of(k, round, number)}];
    EXPECT_EQ(follows.size(), number * (number - 1)) << number;
    for (const auto& [pair, times] : follows) EXPECT_EQ(times, 2) << number;
  }
}

TEST(Turns, EveryoneIsFirstEquallyOften) {
  for (std::size_t number = 1; number <= 20; ++number) {
    std::map<std::size_t, int> first;
    for (std::size_t round = 0; round < 2 * number; ++round) ++first[turn_of(0, round, number)];
    for (const auto& [who, times] : first) EXPECT_EQ(times, 2) << number;
  }
}

}  // namespace
}  // namespace tutti::core
