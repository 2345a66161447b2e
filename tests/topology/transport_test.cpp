#include "topology/transport.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

constexpr double megabyte = 1 << 20;

TEST(NeighbourRound, WhoReceivesTooLetsReadWhatIsLarge) {
  NeighbourRound round;
  round.add(Kind::recv, 1, megabyte);
  EXPECT_FALSE(round.stays(megabyte, 8, false, 1));
  EXPECT_TRUE(round.stays(megabyte + 1, 8, false, 2));
  EXPECT_FALSE(round.stays(megabyte + 1, 8, false, 2.1)) << "two copies are cheaper";
  EXPECT_TRUE(round.stays(megabyte, 8, true, 1)) << "cores are scarce";
}

TEST(NeighbourRound, SeveralReadAtTheSameTime) {
  NeighbourRound one, two;
  one.add(Kind::send, 1, megabyte);
  one.add(Kind::send, 1, megabyte);
  two.add(Kind::send, 1, megabyte);
  two.add(Kind::send, 2, megabyte);
  EXPECT_FALSE(one.stays(megabyte, 8, false, 1));
  EXPECT_TRUE(two.stays(megabyte, 8, false, 2));
  EXPECT_FALSE(two.stays(megabyte, 8, false, 2.1));
  EXPECT_FALSE(two.stays(megabyte, 8, true, 1)) << "not where they share the cores";
}

TEST(NeighbourRound, SmallMessagesAndWhatIsCombinedDoNotCount) {
  NeighbourRound round;
  round.add(Kind::recv, 1, Transport::most_sent);
  round.add(Kind::recv_reduce, 1, 2 * megabyte);
  EXPECT_FALSE(round.stays(2 * megabyte, 8, false, 1));
}

TEST(NeighbourRound, WhatNoPieceHoldsStays) {
  EXPECT_TRUE(NeighbourRound().stays(40'000, 40'000, false, 9));
  EXPECT_FALSE(NeighbourRound().stays(32'768, 32'768, false, 1));
}

}  // namespace
}  // namespace tutti::core
