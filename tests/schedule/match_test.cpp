#include "schedule/match.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "schedule/builder.hpp"

namespace tutti::core {
namespace {

constexpr Slice block(std::size_t offset, std::size_t count = 1) {
  return {Buffer::output, offset, count};
}

/// A chain of `segments` segments from rank 0 to rank p - 1.
std::vector<Schedule> chain(int p, int segments) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    for (int s = 0; s <= segments; ++s) {
      b.round();
      if (r > 0 && s < segments) b.recv(block(s), r - 1);
      if (r + 1 < p && s > 0) b.send(block(s - 1), r + 1);
    }
    schedules.push_back(b.take());
  }
  return schedules;
}

std::vector<Schedule> ring(int p) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    for (int t = 0; t < p - 1; ++t) {
      b.round();
      b.send(block((r - t + p) % p), (r + 1) % p);
      b.recv(block((r - t - 1 + p) % p), (r - 1 + p) % p);
    }
    schedules.push_back(b.take());
  }
  return schedules;
}

TEST(Match, PairsTheKthSendWithTheKthReceive) {
  Builder a, b;
  a.send(block(0, 1), 1);
  a.round();
  a.recv(block(0, 3), 1);
  a.send(block(1, 2), 1);
  b.recv(block(0, 1), 0);
  b.recv(block(1, 2), 0);
  b.round();
  b.send(block(0, 3), 0);
  const Matching m = match({a.take(), b.take()});
  ASSERT_EQ(m.messages.size(), 3U);
  EXPECT_TRUE(m.unmatched.empty());
  const Message& second = m.messages[m.message_of[1][1]];
  EXPECT_EQ(second.from, (Place{0, 1, 2}));
  EXPECT_EQ(second.to, (Place{1, 0, 1}));
  EXPECT_EQ(m.message_of[0][2], m.message_of[1][1]);
  EXPECT_EQ(m.message_of[0][1], m.message_of[1][2]);
}

TEST(Match, NamesWhatMeetsNothing) {
  Builder a, b;
  a.send(block(0), 1);
  a.send(block(1), 1);
  b.copy(block(0), block(1));
  b.recv(block(0), 0);
  b.recv(block(5), 1);
  const Matching m = match({a.take(), b.take()});
  EXPECT_EQ(m.messages.size(), 1U);
  EXPECT_EQ(m.message_of[1][0], -1);
  const std::vector<Place> expected{{0, 0, 1}, {1, 0, 2}};
  EXPECT_EQ(m.unmatched, expected);
}

TEST(Steps, RingTakesOneStepPerRound) {
  for (const int p : {2, 3, 8}) {
    const auto schedules = ring(p);
    const Matching m = match(schedules);
    const Steps steps = steps_of(schedules, m);
    EXPECT_EQ(steps.count, p - 1);
    for (Rank r = 0; r < p; ++r)
      for (int t = 0; t < p - 1; ++t) EXPECT_EQ(steps.of_round[r][t], t + 1);
    for (std::size_t i = 0; i < m.messages.size(); ++i)
      EXPECT_EQ(steps.of_message[i], m.messages[i].from.round + 1);
  }
}

TEST(Steps, ChainFillsItsPipeline) {
  for (const int p : {2, 3, 6})
    for (const int segments : {1, 2, 5}) {
      const auto schedules = chain(p, segments);
      EXPECT_EQ(steps_of(schedules, match(schedules)).count, p - 2 + segments);
    }
}

TEST(Steps, LocalRoundsTakeNone) {
  Builder a, b;
  a.copy(block(0), block(1));
  a.round();
  a.send(block(1), 1);
  b.recv(block(0), 0);
  b.round();
  b.copy(block(0), block(1));
  const std::vector<Schedule> schedules{a.take(), b.take()};
  const Steps steps = steps_of(schedules, match(schedules));
  EXPECT_EQ(steps.count, 1);
  EXPECT_EQ(steps.of_round[0], (std::vector<int>{0, 1}));
  EXPECT_EQ(steps.of_round[1], (std::vector<int>{1, 1}));
}

TEST(Steps, RefusesADeadlock) {
  Builder a, b;
  a.send(block(0), 1);
  a.round();
  a.recv(block(1), 1);
  b.send(block(0), 0);
  b.round();
  b.recv(block(1), 0);
  const std::vector<Schedule> schedules{a.take(), b.take()};
  EXPECT_THROW(steps_of(schedules, match(schedules)), std::logic_error);
}

}  // namespace
}  // namespace tutti::core
