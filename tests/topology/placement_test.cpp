#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>

namespace tutti::core {
namespace {

using Ints = std::vector<int>;

Ints coordinates(int place, const Ints& dims) {
  Ints result(dims.size());
  for (std::size_t j = dims.size(); j-- > 0; place /= dims[j]) result[j] = place % dims[j];
  return result;
}

int links(int a, int b, const Ints& physical, bool torus) {
  const Ints from = coordinates(a, physical), to = coordinates(b, physical);
  int result = 0;
  for (std::size_t j = 0; j < physical.size(); ++j) {
    const int away = std::abs(from[j] - to[j]);
    result += torus ? std::min(away, physical[j] - away) : away;
  }
  return result;
}

/// Lays out a grid and compares both figures with those of its places.
Placement placed(const Ints& physical, bool torus, const Ints& logical) {
  Placement result = place(physical, torus, logical);
  Ints sorted = result.places, all(result.places.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  int largest = 0, closing = 0, stride = 1;
  for (std::size_t i = logical.size(); i-- > 0; stride *= logical[i])
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      const int at = k / stride % logical[i], first = k - at * stride;
      if (at > 0)
        largest =
            std::max(largest, links(result.places[k - stride], result.places[k], physical, torus));
      if (at == logical[i] - 1)
        closing = std::max(closing, links(result.places[first], result.places[k], physical, torus));
    }
  EXPECT_EQ(result.largest_hop, largest);
  EXPECT_EQ(result.closing_hop, closing);
  return result;
}

TEST(Placement, IsTheIdentityForTheSameShape) {
  for (const Ints& dims : {Ints{6}, Ints{3, 4}, Ints{4, 4}, Ints{2, 3, 4}, Ints{1, 5}, Ints{1}}) {
    const Placement result = placed(dims, false, dims);
    EXPECT_TRUE(std::is_sorted(result.places.begin(), result.places.end()));
    EXPECT_LE(result.largest_hop, 1);
  }
}

TEST(Placement, TransposesWhereThatFits) {
  EXPECT_EQ(placed({2, 3}, false, {3, 2}).places, (Ints{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(placed({2, 3, 4}, false, {4, 2, 3}).largest_hop, 1);
}

TEST(Placement, FoldsALineLikeASnake) {
  EXPECT_EQ(placed({2, 3}, false, {6}).places, (Ints{0, 1, 2, 5, 4, 3}));
  EXPECT_EQ(placed({2, 3}, false, {6}).closing_hop, 1);
  // Down and up: the end is three links from the beginning, not five.
  const Placement twelve = placed({3, 4}, false, {12});
  EXPECT_EQ(twelve.largest_hop, 1);
  EXPECT_EQ(twelve.closing_hop, 3);
  EXPECT_EQ(placed({2, 2, 2, 2}, false, {16}).largest_hop, 1);
}

TEST(Placement, FoldsARowOverTwoDimensionsAndKeepsColumnsOnLines) {
  const Placement result = placed({4, 2, 3}, false, {6, 4});
  EXPECT_EQ(result.largest_hop, 1);
  for (int row = 0; row < 6; ++row)
    for (int column = 1; column < 4; ++column)
      EXPECT_EQ(result.places[4 * row + column] - result.places[4 * row + column - 1], 6);
}

TEST(Placement, SharesADimensionWithStepsAsShortAsCanBe) {
  EXPECT_EQ(placed({16}, false, {4, 4}).largest_hop, 4);
  EXPECT_EQ(placed({2, 8}, false, {4, 4}).largest_hop, 2);
  EXPECT_EQ(placed({3, 4}, false, {2, 6}).largest_hop, 2);
  EXPECT_EQ(placed({12}, false, {2, 6}).largest_hop, 2);
}

TEST(Placement, KnowsThatATorusCloses) {
  EXPECT_EQ(placed({5, 5}, false, {5, 5}).closing_hop, 4);
  EXPECT_EQ(placed({5, 5}, true, {5, 5}).closing_hop, 1);
  EXPECT_EQ(placed({4, 5}, true, {20}).closing_hop, 1);
}

TEST(Placement, FindsItsFiguresForAllShapes) {
  for (const int p : {1, 2, 12, 30, 64})
    for (const bool torus : {false, true})
      for (int a = 1; a <= p; ++a)
        for (int b = 1; b <= p; ++b)
          if (p % a == 0 && p % b == 0) {
            placed({a, p / a}, torus, {b, p / b});
            placed({a, p / a}, torus, {p});
            if (p % (a * b) == 0) placed({a, b, p / a / b}, torus, {b, p / b});
          }
}

TEST(Placement, IsFoundSoonForLargeShapes) {
  EXPECT_EQ(place({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, true, {32, 32}).largest_hop, 1);
  EXPECT_EQ(place({16, 16, 16, 16}, true, {8, 32, 8, 32}).largest_hop, 2);
  EXPECT_EQ(place({24, 24, 24}, true, {96, 144}).largest_hop, 2);
}

TEST(Placement, RefusesWhatDoesNotFit) {
  const auto says = [](const Ints& physical, const Ints& logical) -> std::string {
    try {
      place(physical, false, logical);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(says({2, 4}, {3, 2}), "the grid 3x2 has 6 places, the network 2x4 has 8: give as many");
  EXPECT_EQ(says({}, {2}), "the network has no dimension: give at least one");
  EXPECT_EQ(says({2}, {}), "the grid has no dimension: give at least one");
  EXPECT_EQ(says({2, 0}, {1}), "the network 2x0 has an empty dimension: each must be 1 or more");
  EXPECT_EQ(says({1}, {-1, -1}), "the grid -1x-1 has an empty dimension: each must be 1 or more");
  EXPECT_EQ(says({100000, 100000}, {1}), "the network 100000x100000 has more than 16777216 places");
}

}  // namespace
}  // namespace tutti::core
