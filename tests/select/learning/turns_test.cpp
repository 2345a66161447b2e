#include "select/learning/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <locale>
#include <memory>
#include <set>
#include <string_view>

#include "request/request.hpp"

namespace tutti::core {
namespace {

Call bcast_of(int p) {
  return {.collective = Collective::bcast,
          .p = p,
          .element_bytes = 1,
          .count = 16,
          .topology = std::make_shared<const Topology>(Topology::one_node(p))};
}

/// Whatever tree it is, of two ranks one sends to the other.
TEST(Turns, TheSameSchedulesTakeNone) {
  const Profile profile = default_profile();
  const auto is_tree = [](const Request& each) {
    static const std::set<std::string_view> trees{"linear", "binomial", "knomial", "chain"};
    return each.algorithm != nullptr && trees.contains(each.algorithm->name);
  };
  const auto trees_among = [&](int p) {
    const Learning learning = who_takes_turns(bcast_of(p), Elements::exact, false, profile, p);
    EXPECT_EQ(learning.candidates.back().algorithm, nullptr);
    return std::ranges::count_if(learning.candidates, is_tree);
  };
  EXPECT_EQ(trees_among(2), 1);
  EXPECT_GT(trees_among(8), 1);
}

TEST(Turns, WhatCameOutIsReadBack) {
  Learning learning({parse_request("bcast/chain:segment=4K"), parse_request("bcast/binomial"), {}},
                    Learner::Outcome{1, {3e-6, 1.25e-6, 1.0 / 3e5}, {false, true, false}});
  const LearningKey key{.collective = Collective::bcast, .size_class = 14};
  const Learning read = parse_learned(format_learned(learning), key, false);
  ASSERT_EQ(read.candidates.size(), 3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.candidates[i].algorithm, learning.candidates[i].algorithm);
    EXPECT_EQ(read.candidates[i].parameters, learning.candidates[i].parameters);
    EXPECT_EQ(read.learner.seconds(i), learning.learner.seconds(i));
    EXPECT_EQ(read.learner.is_like_best(i), learning.learner.is_like_best(i));
  }
  EXPECT_TRUE(read.learner.settled());
  EXPECT_EQ(read.learner.next(), 1);
  EXPECT_EQ(read.why(1), learning.why(1));
  EXPECT_FALSE(read.compares);
}

/// A program may write numbers in its own way.
TEST(Turns, WhatCameOutIsReadBackInAnyLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const Learning learning({parse_request("bcast/binomial"), {}},
                          Learner::Outcome{1, {3.5e-6, 1.25e-6}, {false, false}});
  const LearningKey key{.collective = Collective::bcast, .size_class = 3};
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const Learning read = parse_learned(format_learned(learning), key, false);
  std::locale::global(before);
  ASSERT_EQ(read.candidates.size(), 2);
  EXPECT_EQ(read.learner.seconds(1), 1.25e-6);
}

TEST(Turns, FloatsAreComparedWhereverTheyWereLearned) {
  const Learning learning(
      {parse_request("allreduce/ring"), parse_request("allreduce/rabenseifner")},
      Learner::Outcome{0, {1e-6, 2e-6}, {false, false}});
  const LearningKey key{.collective = Collective::allreduce, .elements = Elements::inexact};
  const std::string text = format_learned(learning);
  EXPECT_TRUE(parse_learned(text, key, false).compares);
  EXPECT_TRUE(parse_learned(text, key, false).swaps);
  EXPECT_FALSE(parse_learned(text, key, true).compares);
}

}  // namespace
}  // namespace tutti::core
