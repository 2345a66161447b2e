#include "measure/elimination.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tutti::core {
namespace {

std::vector<bool> out(const std::vector<Contender>& contenders) {
  std::vector<bool> result;
  for (const Contender& each : contenders) result.push_back(each.is_out);
  return result;
}

TEST(Elimination, WhoIsSlowerBeyondNoiseLeaves) {
  std::vector<Contender> all{{.name = "fast", .seconds = {10, 11, 10, 12}},
                             {.name = "near", .seconds = {11, 10, 12, 13}},
                             {.name = "slow", .seconds = {12, 13, 12, 14}}};
  leave_out(all, Noise::some);
  EXPECT_EQ(out(all), (std::vector{false, false, true}));
  EXPECT_FALSE(is_settled(all));
}

TEST(Elimination, FewSamplesMustSayMore) {
  std::vector<Contender> all{{.name = "fast", .seconds = {10, 11}},
                             {.name = "near", .seconds = {11, 12}},
                             {.name = "slow", .seconds = {13, 14}}};
  leave_out(all, Noise::some);
  EXPECT_EQ(out(all), (std::vector{false, false, true}));
  leave_out(all, Noise::none);
  EXPECT_EQ(out(all), (std::vector{false, true, true}));
  EXPECT_TRUE(is_settled(all));
}

TEST(Elimination, TheFirstChoiceStaysLonger) {
  std::vector<Contender> all{
      {.name = "fast", .seconds = {10, 10, 10, 10}},
      {.name = "first", .is_first_choice = true, .seconds = {11, 11, 11, 11}}};
  leave_out(all, Noise::some);
  EXPECT_EQ(out(all), (std::vector{false, false}));
  all[1].seconds = {15, 15, 15, 15};
  leave_out(all, Noise::some);
  EXPECT_EQ(out(all), (std::vector{false, true}));
}

TEST(Elimination, EqualsNeedNoMoreSamples) {
  std::vector<Contender> all{{.name = "a", .seconds = {1, 1, 1, 1}},
                             {.name = "b", .seconds = {1.01, 1, 0.99, 1}}};
  EXPECT_TRUE(is_settled(all));
  all[1].seconds.back() = 1.1;
  EXPECT_FALSE(is_settled(all));
}

TEST(Elimination, TheFirstChoiceIsLeftForWhatIsFasterBeyondNoise) {
  std::vector<Contender> all{
      {.name = "first", .is_first_choice = true, .seconds = {10, 12, 11, 13}},
      {.name = "other", .seconds = {9, 11, 12, 11}},
      {.name = "never measured"}};
  EXPECT_EQ(regrets(all, Noise::some)[0], 0);
  EXPECT_EQ(regrets(all, Noise::some)[1], 1);
  EXPECT_TRUE(std::isinf(regrets(all, Noise::some)[2]));
  all[1].seconds = {9, 11, 10, 11};
  EXPECT_TRUE(std::isinf(regrets(all, Noise::some)[0]));
}

TEST(Elimination, AndOnlyForWhatIsWorthIt) {
  std::vector<Contender> all{
      {.name = "first", .is_first_choice = true, .seconds = std::vector<double>(9, 102)},
      {.name = "other", .seconds = std::vector<double>(9, 100)}};
  EXPECT_EQ(regrets(all, Noise::some)[0], 0);
  EXPECT_TRUE(std::isinf(regrets(all, Noise::none)[0]));
  // Nine say enough, four must all say it.
  all[0].seconds = {101, 101, 106, 106, 106, 106, 106, 106, 106};
  EXPECT_TRUE(std::isinf(regrets(all, Noise::some)[0]));
  all[0].seconds.resize(4);
  EXPECT_EQ(regrets(all, Noise::some)[0], 0);
}

TEST(Elimination, AChangeWithinNoiseCountsHalf) {
  std::vector<Contender> all{{.name = "first",
                              .is_first_choice = true,
                              .seconds = {144, 144, 144, 144, 144, 90, 90, 90, 144}},
                             {.name = "other", .seconds = std::vector<double>(9, 100)}};
  EXPECT_NEAR(regrets(all, Noise::some)[0], 1.2, 1e-12);
  EXPECT_EQ(regrets(all, Noise::some)[1], 1);
  all[0].seconds.resize(7);  // too few to say anything
  EXPECT_EQ(regrets(all, Noise::some)[0], 0);
}

TEST(Elimination, WhoLeftIsNoFasterForHavingFewSamples) {
  // The early samples were taken in a quiet moment.
  const std::vector<Contender> all{
      {.name = "stays", .seconds = {10, 10, 10, 10, 20, 20, 20, 20, 20}},
      {.name = "left", .seconds = {12, 12, 12, 12}, .is_out = true}};
  EXPECT_EQ(regrets(all, Noise::some)[0], 1);
  EXPECT_TRUE(std::isinf(regrets(all, Noise::some)[1]));
}

TEST(Elimination, TheFirstChoiceDoesNotComeBack) {
  // It left for another than is best now, whose first samples were bad.
  const std::vector<Contender> all{
      {.name = "first", .is_first_choice = true, .seconds = {20, 20, 20, 20}, .is_out = true},
      {.name = "best", .seconds = {25, 25, 10, 10, 10, 10, 10, 10, 10}}};
  EXPECT_TRUE(std::isinf(regrets(all, Noise::some)[0]));
  EXPECT_EQ(regrets(all, Noise::some)[1], 1);
}

TEST(Elimination, WithoutMeasurementTheModelIsOffAsItIsNearby) {
  const std::vector<Contender> here{{.name = "first", .predicted = 10, .is_first_choice = true},
                                    {.name = "other", .predicted = 12},
                                    {.name = "unknown", .predicted = 11},
                                    {.name = "native"}};
  std::vector<Contender> near{{.name = "other", .predicted = 3, .seconds = {3, 3, 3}},
                              {.name = "first", .predicted = 2, .seconds = {4, 4, 4}},
                              {.name = "native", .seconds = {5, 5, 5}}};
  const std::vector<double> found = regrets_as_near(here, near);
  EXPECT_NEAR(found[0], 20.0 / 12, 1e-12);
  EXPECT_EQ(found[1], 1);
  EXPECT_TRUE(std::isinf(found[2]));
  EXPECT_TRUE(std::isinf(found[3]));
  near[1].seconds = {2.4, 2.4, 2.4};  // as good
  EXPECT_EQ(regrets_as_near(here, near)[0], 0);
  near[1].seconds.clear();  // nothing is known against it
  EXPECT_EQ(regrets_as_near(here, near)[0], 0);
  EXPECT_EQ(regrets_as_near(here, {})[0], 0);
}

TEST(ModelError, FollowsWhatIsMeasured) {
  ModelError error;
  EXPECT_NEAR(error.factor(), 2, 1e-12);
  // All are predicted too fast alike: who is first is right.
  for (int i = 0; i < 100; ++i)
    error.add({{.predicted = 1, .seconds = {3}}, {.predicted = 2, .seconds = {6}}});
  EXPECT_LT(error.factor(), 1.2);
  // One by a factor of 4 more than the other.
  for (int i = 0; i < 100; ++i)
    error.add({{.predicted = 1, .seconds = {4}}, {.predicted = 2, .seconds = {2}}});
  EXPECT_GT(error.factor(), 2.5);
  EXPECT_LE(error.factor(), 8);
}

TEST(ModelError, OneContenderSaysNothing) {
  ModelError error;
  error.add({{.predicted = 1, .seconds = {9}}, {.name = "native", .seconds = {1}}});
  EXPECT_NEAR(error.factor(), 2, 1e-12);
}

}  // namespace
}  // namespace tutti::core
