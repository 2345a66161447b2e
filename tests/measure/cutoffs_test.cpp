#include "measure/cutoffs.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tutti::core {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

TEST(Cutoffs, AChangeMustGain) {
  // b is faster by a percent at one size, by ten at the next.
  EXPECT_EQ(steady({{{"a", 1}, {"b", 1.3}}, {{"a", 1.01}, {"b", 1}}, {{"a", 1}, {"b", 1.3}}}),
            (std::vector<std::size_t>{0, 0, 0}));
  EXPECT_EQ(steady({{{"a", 1}, {"b", 1.3}}, {{"a", 1.1}, {"b", 1}}, {{"a", 1}, {"b", 1.3}}}),
            (std::vector<std::size_t>{0, 1, 0}));
}

TEST(Cutoffs, OptionsAreKnownByName) {
  EXPECT_EQ(steady({{{"a", 1}, {"b", 1.05}}, {{"c", 1.01}, {"b", 1}, {"a", 1.015}}}),
            (std::vector<std::size_t>{0, 2}));
}

TEST(Cutoffs, WhatComesFirstIsTaken) {
  EXPECT_EQ(steady({{{"a", 1}, {"b", 0}}, {{"a", never}, {"b", 1.2}, {"c", 1}}}),
            (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(steady({}).empty());
}

TEST(Cutoffs, NeighboursBecomeOne) {
  const std::vector<SizeChoice> at_sizes{
      {8, "a", 1, true}, {32, "a", 2, true}, {128, "b", 3, false}, {512, "a", 4, true}};
  EXPECT_EQ(merged(at_sizes),
            (std::vector<SizeChoice>{{0, "a", 1, true}, {64, "b", 3, false}, {256, "a", 4, true}}));
  EXPECT_EQ(merged({{1000, "a", 1, true}}), (std::vector<SizeChoice>{{0, "a", 1, true}}));
}

TEST(Cutoffs, ChangesAreLookedAtMoreClosely) {
  EXPECT_EQ(sizes_between({{8, "a"}, {32, "b"}, {128, "b"}, {256, "a"}, {4096, "b"}}),
            (std::vector<std::size_t>{16, 1024}));
}

}  // namespace
}  // namespace tutti::core
