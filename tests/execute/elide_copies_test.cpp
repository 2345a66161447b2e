#include "execute/elide_copies.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/builder.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

std::size_t copies_in(const Schedule& schedule) {
  return static_cast<std::size_t>(
      std::count_if(schedule.actions.begin(), schedule.actions.end(),
                    [](const Action& action) { return action.kind == Kind::copy; }));
}

constexpr Slice input{Buffer::input, 0, 8}, output{Buffer::output, 0, 8},
    scratch{Buffer::scratch, 0, 8};

TEST(ElideCopies, WhatIsOnlySentIsSentFromTheInput) {
  Builder b;
  b.scratch(8);
  b.round();
  b.copy(input, scratch);
  b.round();
  b.send(Slice{Buffer::scratch, 4, 2}, 1);
  const Schedule elided = elide_copies(b.schedule());
  EXPECT_EQ(copies_in(elided), 0u);
  ASSERT_EQ(elided.actions.size(), 1u);
  EXPECT_EQ(elided.slices_of(elided.actions[0])[0], (Slice{Buffer::input, 4, 2}));
}

TEST(ElideCopies, AScheduleThatGoesOnKeepsThem) {
  Builder b;
  b.scratch(8);
  b.round();
  b.copy(input, scratch);
  EXPECT_EQ(copies_in(elide_copies(b.schedule(), true)), 1u);
  EXPECT_EQ(copies_in(elide_copies(b.schedule(), false)), 0u);
}

TEST(ElideCopies, ResultsStay) {
  Builder b;
  b.round();
  b.copy(input, output);
  b.round();
  b.send(output, 1);
  const Schedule elided = elide_copies(b.schedule());
  EXPECT_EQ(copies_in(elided), 1u);
  EXPECT_EQ(elided.slices_of(elided.actions[1])[0].buffer, Buffer::input);
}

TEST(ElideCopies, WhatComesIsCombinedWithTheInput) {
  Builder b;
  b.round();
  b.copy(input, output);
  b.round();
  b.recv_reduce(Slice{Buffer::output, 0, 4}, 1, Side::left);
  b.recv_reduce(Slice{Buffer::output, 0, 4}, 2, Side::left);
  b.round();
  b.recv(Slice{Buffer::output, 4, 4}, 1);
  const Schedule elided = elide_copies(b.schedule());
  EXPECT_EQ(copies_in(elided), 0u);
  ASSERT_EQ(elided.actions.size(), 3u);
  const auto other = elided.sources_of(elided.actions[0]);
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0], (Slice{Buffer::input, 0, 4}));
  // The second finds what the first has written.
  EXPECT_TRUE(elided.sources_of(elided.actions[1]).empty());
}

// A half that is a result keeps the copy, which then comes first, as it did.
TEST(ElideCopies, AHalfThatIsAResultKeepsTheCopy) {
  Builder b;
  b.round();
  b.copy(input, output);
  b.round();
  b.recv_reduce(Slice{Buffer::output, 0, 4}, 1, Side::left);
  const Schedule elided = elide_copies(b.schedule());
  EXPECT_EQ(copies_in(elided), 1u);
  EXPECT_EQ(elided.sources_of(elided.actions[1]).size(), 1u);
}

TEST(ElideCopies, WhatComesAndIsCombinedAtOnceIsOneAction) {
  for (const Side side : {Side::left, Side::right}) {
    Builder b;
    b.round();
    b.recv(output, 1);
    b.reduce(input, output, side);
    const Schedule elided = elide_copies(b.schedule());
    ASSERT_EQ(elided.actions.size(), 1u);
    EXPECT_EQ(elided.actions[0].kind, Kind::recv_reduce);
    EXPECT_EQ(elided.actions[0].side, side == Side::left ? Side::right : Side::left);
    EXPECT_EQ(elided.sources_of(elided.actions[0])[0], input);
  }
}

TEST(ElideCopies, WhatIsOverwrittenWasNotNeeded) {
  Builder b;
  b.round();
  b.copy(input, output);
  b.round();
  b.send(output, 1);
  b.round();
  b.recv(output, 1);
  EXPECT_EQ(copies_in(elide_copies(b.schedule())), 0u);
}

// A part that changed must not be sent as it was.
TEST(ElideCopies, WhatHasChangedIsSentAsItIs) {
  Builder b;
  b.round();
  b.copy(input, output);
  b.round();
  b.recv(Slice{Buffer::output, 0, 2}, 1);
  b.round();
  b.send(output, 2);
  const Schedule elided = elide_copies(b.schedule());
  EXPECT_EQ(copies_in(elided), 1u);
  EXPECT_EQ(elided.slices_of(elided.actions[2])[0], output);
}

// Every algorithm is proved again without its needless copies.
TEST(ElideCopies, EveryAlgorithmStaysRight) {
  std::size_t before = 0, after = 0;
  for (const Algorithm& algorithm : registry())
    for (const int p : {1, 2, 3, 5, 8})
      for (const Case& each : proof_cases(algorithm, p)) {
        if (each.problem.root > 1) continue;
        std::vector<Schedule> schedules = schedules_of(each.problem, algorithm, each.parameters);
        for (Schedule& schedule : schedules) {
          before += copies_in(schedule);
          schedule = elide_copies(schedule);
          after += copies_in(schedule);
        }
        for (const Finding& finding : verify(each.problem, schedules, algorithm.full_name()))
          FAIL() << finding.describe();
      }
  EXPECT_LT(after, before);
}

}  // namespace
}  // namespace tutti::core
