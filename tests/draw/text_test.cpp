#include "draw/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "figures.hpp"

namespace tutti::core {
namespace {

TEST(Text, AllgatherRing) {
  EXPECT_EQ(draw_text(picture_of("allgather/ring", 3, 3)),
            R"(allgather/ring, p = 3, blocks of 1 byte

start
  copy on 0-2

    P0  P1  P2
    0   .   .
    .   1   .
    .   .   2

step 1
  0 -> 1  0    1 -> 2  1    2 -> 0  2

    P0  P1  P2
    0   0   .
    .   1   1
    2   .   2

step 2
  0 -> 1  2    1 -> 2  0    2 -> 0  1

    P0  P1  P2
    0   0   0
    1   1   1
    2   2   2
)");
}

TEST(Text, AllreduceOfTwo) {
  EXPECT_EQ(draw_text(picture_of("allreduce/rabenseifner", 2, 4)),
            R"(allreduce/rabenseifner, p = 2, 4 elements (32 bytes)
parts A-B of 2 elements
A 0-1: part A, combined over ranks 0-1
+>: combined where it arrives

start
  copy on 0-1

    P0     P1
    A-B 0  A-B 1

step 1
  0 +> 1  B 0    1 +> 0  A 1

    P0     P1
    A 0-1  B 0-1

step 2
  0 -> 1  A 0-1    1 -> 0  B 0-1

    P0       P1
    A-B 0-1  A-B 0-1
)");
}

TEST(Text, OneRankCombinesNothing) {
  EXPECT_EQ(draw_text(picture_of("allreduce/ring", 1, 2)),
            R"(allreduce/ring, p = 1, 2 elements (16 bytes)
part A of 2 elements

start
  copy on 0

    P0
    A 0
)");
}

TEST(Text, BarrierHasMessagesOnly) {
  EXPECT_EQ(draw_text(picture_of("barrier/dissemination", 3, 0)),
            R"(barrier/dissemination, p = 3

step 1
  0 -> 1    1 -> 2    2 -> 0

step 2
  0 -> 2    1 -> 0    2 -> 1
)");
}

TEST(Text, StaysWithinTheWidth) {
  for (const Figure& figure : figures) {
    std::istringstream lines(draw_text(picture_of(figure), 80));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80u) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    }
  }
}

}  // namespace
}  // namespace tutti::core
