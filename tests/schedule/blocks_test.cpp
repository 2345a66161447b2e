#include "schedule/blocks.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

constexpr Slice piece(std::size_t offset, std::size_t count) {
  return {Buffer::output, offset, count};
}

TEST(Blocks, StandOneAfterTheOther) {
  const std::vector<std::size_t> counts{3, 0, 2, 4};
  const Blocks blocks = Blocks::of(piece(10, 0), counts);
  EXPECT_EQ(blocks.size(), 4);
  EXPECT_EQ(blocks[0], piece(10, 3));
  EXPECT_EQ(blocks[1], piece(13, 0));
  EXPECT_EQ(blocks[3], piece(15, 4));
  EXPECT_EQ(blocks.count(2), 2U);
  EXPECT_EQ(blocks.count(1, 4), 6U);
  EXPECT_EQ(blocks.range(1, 3), Slices{piece(13, 2)});
  EXPECT_EQ(blocks.range(2, 2), Slices{});
}

TEST(Blocks, MayBeNumberedFromAnyBlockOn) {
  const Blocks blocks = Blocks::equal({Buffer::scratch, 4, 0}, 3, 2, 5);
  EXPECT_EQ(blocks[5], (Slice{Buffer::scratch, 4, 2}));
  EXPECT_EQ(blocks[7], (Slice{Buffer::scratch, 8, 2}));
  const Slices wrapped{{Buffer::scratch, 8, 2}, {Buffer::scratch, 4, 2}};
  EXPECT_EQ(blocks.circular(7, 2), wrapped);
}

TEST(Blocks, WrapRound) {
  const Blocks blocks = Blocks::equal(piece(0, 0), 4, 2);
  EXPECT_EQ(blocks.circular(1, 3), Slices{piece(2, 6)});
  const Slices wrapped{piece(6, 2), piece(0, 4)};
  EXPECT_EQ(blocks.circular(3, 3), wrapped);
}

TEST(Blocks, OneMayLiveElsewhere) {
  const Slice place{Buffer::input, 0, 2};
  const Blocks blocks = Blocks::equal(piece(0, 0), 4, 2).with(1, place);
  EXPECT_EQ(blocks[1], place);
  EXPECT_EQ(blocks[2], piece(4, 2));
  const Slices all{piece(0, 2), place, piece(4, 4)};
  EXPECT_EQ(blocks.range(0, 4), all);
  EXPECT_EQ(blocks.range(1, 2), Slices{place});
  EXPECT_EQ(blocks.range(2, 4), Slices{piece(4, 4)});
}

TEST(Blocks, MayStandInAnotherOrder) {
  const std::vector<std::size_t> counts{3, 0, 2, 4};
  const Slice place{Buffer::input, 0, 2};
  const Blocks blocks = Blocks::of(piece(10, 0), counts).with(2, place).in_order({3, 1, 0, 2});
  EXPECT_EQ(blocks.size(), 4);
  EXPECT_EQ(blocks[0], piece(15, 4));
  EXPECT_EQ(blocks[3], place);
  EXPECT_EQ(blocks.count(2), 3U);
  EXPECT_EQ(blocks.count(0, 3), 7U);
  EXPECT_EQ(blocks.range(2, 4), (Slices{piece(10, 3), place}));
  EXPECT_EQ(blocks.circular(3, 2), (Slices{place, piece(15, 4)}));
}

TEST(Blocks, SplitGivesTheFirstOnesOneMore) {
  const Blocks blocks = split(piece(5, 11), 4);
  EXPECT_EQ(blocks[0], piece(5, 3));
  EXPECT_EQ(blocks[2], piece(11, 3));
  EXPECT_EQ(blocks[3], piece(14, 2));
  EXPECT_EQ(split(piece(0, 2), 4)[3], piece(2, 0));
}

TEST(Blocks, SplitCoversTheVector) {
  for (std::size_t n = 0; n < 20; ++n)
    for (int number = 1; number < 9; ++number) {
      const Blocks blocks = split(piece(3, n), number);
      std::size_t at = 3;
      for (int i = 0; i < number; ++i) {
        EXPECT_EQ(blocks[i].offset, at);
        at = blocks[i].end();
      }
      EXPECT_EQ(at, 3 + n);
    }
}

TEST(Blocks, JoinKeepsTheOrder) {
  const Slices both{piece(4, 1), piece(0, 1)};
  EXPECT_EQ(join({piece(4, 1)}, {piece(0, 1)}), both);
  EXPECT_EQ(count_of(both), 2U);
}

TEST(Slice, OverlapsOnlyInOneBuffer) {
  EXPECT_TRUE(piece(0, 3).overlaps(piece(2, 1)));
  EXPECT_FALSE(piece(0, 2).overlaps(piece(2, 1)));
  EXPECT_FALSE(piece(0, 3).overlaps({Buffer::input, 0, 3}));
  EXPECT_EQ(piece(4, 6).part(2, 3), piece(6, 3));
}

}  // namespace
}  // namespace tutti::core
