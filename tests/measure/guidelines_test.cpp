#include "measure/guidelines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace tutti::core {
namespace {

bool is_about_sizes(const Guideline& rule) {
  return rule.right.size() == 1 && rule.right.front().collective == rule.left.collective;
}

std::set<std::string> described(int p, const std::vector<std::size_t>& sizes) {
  std::set<std::string> texts;
  for (const Guideline& rule : guidelines(p, sizes)) texts.insert(rule.describe());
  return texts;
}

TEST(Guidelines, AreWrittenAsInequalities) {
  const Cell bcast{.collective = Collective::bcast, .p = 4, .bytes = 1024};
  Cell larger = bcast, scatter = bcast, allgather = bcast;
  larger.bytes = 4096;
  scatter.collective = Collective::scatter;
  allgather.collective = Collective::allgather;
  EXPECT_EQ((Guideline{bcast, {larger}}.describe()), "bcast 1K <= bcast 4K");
  EXPECT_EQ((Guideline{bcast, {scatter}}.describe()), "bcast <= scatter");
  EXPECT_EQ((Guideline{bcast, {scatter, allgather}}.describe()), "bcast <= scatter + allgather");
}

TEST(Guidelines, HoldThoseOfThePaper) {
  const std::set<std::string> texts = described(4, {1024, 4096});
  for (const char* text :
       {"allreduce <= reduce + bcast", "allreduce <= reduce_scatter_block + allgather",
        "reduce <= allreduce", "bcast <= scatter + allgather", "allgather <= gather + bcast",
        "allgather <= alltoall", "gather <= allgather", "scatter <= bcast", "gather <= gatherv",
        "scatter <= scatterv", "allgather <= allgatherv", "alltoall <= alltoallv",
        "reduce_scatter_block <= reduce_scatter", "bcast 1K <= bcast 4K",
        "allreduce 1K <= allreduce 4K", "scan 1K <= scan 4K"})
    EXPECT_TRUE(texts.contains(text)) << text;
}

TEST(Guidelines, AreForAllSizesWithABlockForEachRank) {
  const std::vector<std::size_t> sizes = {8, 31, 32, 4096};
  std::set<std::pair<std::string, std::size_t>> seen;
  for (const Guideline& rule : guidelines(4, sizes)) {
    EXPECT_TRUE(seen.emplace(rule.describe(), rule.left.bytes).second) << rule.describe();
    EXPECT_FALSE(rule.right.empty()) << rule.describe();
    if (is_about_sizes(rule)) continue;
    EXPECT_GE(rule.left.bytes, 32u) << rule.describe();
  }
  for (const auto& [text, bytes] : seen)
    if (bytes == 32 && text.find(" 32 ") == std::string::npos) {
      EXPECT_TRUE(seen.contains({text, 4096})) << text;
    }
}

/// What a cell moves, or combines, in all.
std::size_t bytes_of(const Cell& cell) {
  const Problem problem = cell.problem();
  return problem.total() * problem.element_bytes;
}

// Else the rule would compare different work.
TEST(Guidelines, BothSidesHaveTheSameBytes) {
  for (const int p : {1, 2, 3, 4, 7})
    for (const Guideline& rule : guidelines(p, {64, 1000, 1024, 4096})) {
      EXPECT_EQ(rule.left.p, p) << rule.describe();
      for (const Cell& cell : rule.right) {
        EXPECT_EQ(cell.p, p) << rule.describe();
        if (is_about_sizes(rule)) continue;
        EXPECT_EQ(bytes_of(cell), bytes_of(rule.left))
            << rule.describe() << ", p = " << p << ", " << rule.left.bytes
            << " bytes: " << cell.describe();
      }
    }
}

TEST(Guidelines, MoreBytesMustNotBeFasterInWhateverOrderTheyAreGiven) {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{64, 1024, 4096}, {4096, 64, 1024}, {64, 64, 1024, 4096, 4096}}) {
    std::size_t found = 0;
    for (const Guideline& rule : guidelines(4, sizes)) {
      if (!is_about_sizes(rule)) continue;
      EXPECT_LT(rule.left.bytes, rule.right.front().bytes) << rule.describe();
      found += rule.left.collective == Collective::bcast;
    }
    EXPECT_EQ(found, 2u);
  }
}

TEST(Guidelines, OneSizeHasNoNext) {
  for (const Guideline& rule : guidelines(4, {4096}))
    EXPECT_FALSE(is_about_sizes(rule)) << rule.describe();
  EXPECT_TRUE(guidelines(4, {8}).empty());
}

Judgement judged(Median factor) {
  const Guideline rule{{.collective = Collective::gather, .p = 4, .bytes = 1024},
                       {{.collective = Collective::gatherv, .p = 4, .bytes = 1024}}};
  return {rule, "tutti", {12e-6, 11e-6, 13e-6}, {10e-6, 9e-6, 11e-6}, factor};
}

TEST(Judgement, IsAViolationBeyondNoiseAndByMoreThanAFewPercent) {
  EXPECT_TRUE(judged({1.2, 1.1, 1.3}).is_violated());
  EXPECT_FALSE(judged({1.2, 0.9, 1.5}).is_violated()) << "noise";
  EXPECT_FALSE(judged({1.2, 1.0, 1.5}).is_violated()) << "noise";
  EXPECT_FALSE(judged({1.03, 1.02, 1.04}).is_violated()) << "little";
  EXPECT_FALSE(judged({0.8, 0.7, 0.9}).is_violated());
}

TEST(Judgement, JsonHoldsWhatTheTableShows) {
  const Judgement judgement = judged({1.2, 1.1, 1.3});
  const auto json = json_of(judgement);
  EXPECT_EQ(json["rule"], "gather <= gatherv");
  EXPECT_EQ(json["p"], 4);
  EXPECT_EQ(json["bytes"], 1024);
  EXPECT_EQ(json["who"], "tutti");
  EXPECT_EQ(json["violated"], true);
  EXPECT_NEAR(json["left_us"][0], 12, 1e-9);
  EXPECT_NEAR(json["right_us"][2], 11, 1e-9);
  EXPECT_NEAR(json["factor"][1], 1.1, 1e-9);
  EXPECT_EQ(json_of(judged({1, 0.9, 1.1}))["violated"], false);
  const std::string line = table_line(judgement);
  for (const char* part :
       {"tutti", "gather <= gatherv", "1K", "12.0 us", "10.0 us", "1.20 (1.10-1.30)\n"})
    EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
}

}  // namespace
}  // namespace tutti::core
