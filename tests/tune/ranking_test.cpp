// The candidates of a decision, without a measurement.

#include "tune/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tutti::core {
namespace {

constexpr int ranks = 8;
const Machine machine{{.alpha = 1e-6, .beta = 1e-9, .gamma = 1e-10}, {}, {}};

Ranking ranking_of(bool exhaustive = false) {
  return {machine, std::make_shared<const Topology>(Topology::one_node(ranks)), exhaustive};
}

TEST(Ranking, TheModelsChoiceComesFirstAndTheMpisOwnLast) {
  for (const DecisionCase& each : all_cases({}, {8, 1 << 20}, ranks)) {
    DecisionCase one = each;
    ranking_of().rank(one);
    ASSERT_GE(one.contenders.size(), 2u);
    EXPECT_TRUE(one.contenders.front().is_first_choice);
    EXPECT_EQ(one.contenders.back().name, native_name);
    EXPECT_EQ(one.contenders.back().predicted, 0);
    const auto by_time = [](const Contender& a, const Contender& b) {
      return a.predicted < b.predicted;
    };
    EXPECT_TRUE(std::is_sorted(one.contenders.begin() + 1, one.contenders.end() - 1, by_time));
    std::set<std::string> names;
    for (const Contender& contender : one.contenders) names.insert(contender.name);
    EXPECT_EQ(names.size(), one.contenders.size());
    EXPECT_FALSE(one.is_measured());
  }
}

TEST(Ranking, ExhaustiveHasNoFewer) {
  for (const std::size_t bytes : {8, 1 << 20}) {
    DecisionCase some = case_of(Collective::allreduce, ranks, bytes, Evenness::any), all = some;
    ranking_of().rank(some);
    ranking_of(true).rank(all);
    EXPECT_GT(all.contenders.size(), some.contenders.size());
  }
}

TEST(Ranking, NamedOnesFollowTheModelsChoice) {
  DecisionCase one = case_of(Collective::allreduce, ranks, 1 << 20, Evenness::any);
  ranking_of().rank(one, {native_name, "allreduce/recursive_doubling"});
  std::vector<std::string> names;
  for (const Contender& each : one.contenders) names.push_back(each.name);
  ASSERT_EQ(names.size(), 3u);
  EXPECT_TRUE(one.contenders[0].is_first_choice);
  EXPECT_EQ(names[1], native_name);
  EXPECT_EQ(names[2], "allreduce/recursive_doubling");
}

TEST(Ranking, ParametersAreSpelledOut) {
  const Cell cell{.collective = Collective::bcast, .p = ranks, .bytes = 1 << 20};
  EXPECT_EQ(ranking_of().in_full(native_name, cell), native_name);
  EXPECT_TRUE(ranking_of().in_full("bcast/chain", cell).starts_with("bcast/chain:"));
  EXPECT_EQ(ranking_of().in_full("bcast/chain:segment=4K", cell), "bcast/chain:segment=4096");
}

TEST(Ranking, WhatHasNoCommonSizeIsJudgedByMeansOverCells) {
  const auto cases = all_cases({Collective::alltoallv, Collective::allreduce}, {8, 64}, ranks);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].bytes, 0u);
  EXPECT_GT(cases[0].cells.size(), 1u);
  EXPECT_EQ(cases[1].cells.size(), 1u);
}

TEST(Ranking, ABarrierHasOneCell) {
  const DecisionCase one = case_of(Collective::barrier, ranks, 0, Evenness::any);
  ASSERT_EQ(one.cells.size(), 1u);
  EXPECT_EQ(one.cells[0].bytes, 0u);
}

}  // namespace
}  // namespace tutti::core
