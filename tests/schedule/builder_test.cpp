#include "schedule/builder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tutti::core {
namespace {

constexpr Slice out(std::size_t offset, std::size_t count) {
  return {Buffer::output, offset, count};
}

TEST(Builder, WritesRoundsInOrder) {
  Builder b;
  b.round();
  b.send(out(0, 2), 1);
  b.recv(out(2, 2), 3);
  b.round();
  b.recv_reduce(out(0, 2), 2, Side::right);
  const Schedule s = b.take();
  ASSERT_EQ(s.round_count(), 2U);
  ASSERT_EQ(s.round(0).size(), 2U);
  ASSERT_EQ(s.round(1).size(), 1U);
  EXPECT_EQ(describe(s, s.round(0)[0]), "send output[0..2) to 1");
  EXPECT_EQ(describe(s, s.round(0)[1]), "recv output[2..4) from 3");
  EXPECT_EQ(describe(s, s.round(1)[0]), "recv_reduce output[0..2) from 2 on the right");
}

TEST(Builder, DescribesLocalActions) {
  Builder b;
  b.copy(Slice{Buffer::input, 0, 3}, out(1, 3));
  b.round();
  b.reduce(b.scratch(2), out(1, 2), Side::left);
  const Schedule& s = b.schedule();
  EXPECT_EQ(describe(s, s.actions[0]), "copy input[0..3) to output[1..4)");
  EXPECT_EQ(describe(s, s.actions[1]), "reduce scratch[0..2) into output[1..3) on the left");
}

TEST(Builder, JoinsSlicesThatTouchAndDropsEmptyOnes) {
  Builder b;
  const Slices slices{out(0, 2), out(7, 0), out(2, 3), out(9, 1), {Buffer::input, 10, 1}};
  b.send(slices, 1);
  const Schedule& s = b.schedule();
  const Slices expected{out(0, 5), out(9, 1), {Buffer::input, 10, 1}};
  EXPECT_EQ(s.slices, expected);
  EXPECT_EQ(s.count_of(s.actions[0]), 7U);
}

TEST(Builder, SendsNothingForNothing) {
  Builder b;
  b.round();
  b.send(out(3, 0), 1);
  b.recv(Slices{}, 1);
  b.copy(out(0, 0), out(1, 0));
  b.round();
  b.send(out(0, 1), 1);
  EXPECT_EQ(b.schedule().round_count(), 1U);
  EXPECT_EQ(b.schedule().actions.size(), 1U);
}

TEST(Builder, SignalsAreEmptyMessages) {
  Builder b;
  b.signal(4);
  b.await(5);
  const Schedule& s = b.schedule();
  ASSERT_EQ(s.actions.size(), 2U);
  EXPECT_EQ(describe(s, s.actions[0]), "send nothing to 4");
  EXPECT_EQ(describe(s, s.actions[1]), "recv nothing from 5");
  EXPECT_EQ(s.count_of(s.actions[0]), 0U);
}

TEST(Builder, ReservesScratchAndConstantsOneAfterTheOther) {
  Builder b;
  EXPECT_EQ(b.scratch(5), (Slice{Buffer::scratch, 0, 5}));
  const std::vector<std::size_t> values{7, 9};
  EXPECT_EQ(b.constants(values), (Slice{Buffer::scratch, 5, 16}));
  EXPECT_EQ(b.schedule().scratch, 21U);
  const std::vector<Constant> expected{{5, 7}, {13, 9}};
  EXPECT_EQ(b.schedule().constants, expected);
}

TEST(Builder, LearnsBetweenStages) {
  Builder b;
  const Slice counts = b.scratch(16);
  b.recv(counts, 0);
  b.learn(counts, [](Builder& more, std::span<const std::size_t> learned) {
    more.recv(out(0, learned[0] + learned[1]), 0);
  });
  EXPECT_TRUE(b.waits_to_learn());
  EXPECT_THROW(b.learn(counts, {}), std::logic_error);
  const std::vector<std::size_t> learned{3, 4};
  b.resume(learned);
  EXPECT_FALSE(b.waits_to_learn());
  const Schedule& s = b.schedule();
  ASSERT_EQ(s.round_count(), 2U);
  EXPECT_EQ(describe(s, s.actions[1]), "recv output[0..7) from 0");
  const std::vector<StageEnd> stages{{1, counts, learned}};
  EXPECT_EQ(s.stages, stages);
}

}  // namespace
}  // namespace tutti::core
