#include "measure/share.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tutti::core {
namespace {

TEST(FairShare, IsSpentWhollyOrEnoughForAll) {
  const std::vector<double> wanted{5, 1, 100, 2, 1, 30};
  double all = 0;
  for (const double each : wanted) all += each;
  for (double total = 0.5; total < all; total += 0.5) {
    const double share = fair_share(wanted, total);
    double spent = 0;
    for (const double each : wanted) spent += std::min(each, share);
    EXPECT_NEAR(spent, total, 1e-9);
  }
  EXPECT_TRUE(std::isinf(fair_share(wanted, all)));
}

TEST(FairShare, OfTheCheapIsWhatTheyWant) {
  EXPECT_DOUBLE_EQ(fair_share({1, 1, 1000, 1000}, 22), 10);
}

TEST(FairShare, OfNothingIsNothing) {
  EXPECT_EQ(fair_share({1, 2}, 0), 0);
  EXPECT_EQ(fair_share({1, 2}, -1), 0);
  EXPECT_TRUE(std::isinf(fair_share({}, 1)));
}

}  // namespace
}  // namespace tutti::core
