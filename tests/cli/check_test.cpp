#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace tutti::core {
namespace {

TEST(Check, EndsWithTheCount) {
  const Outcome outcome = run("check allgather/ring --max-p 5");
  EXPECT_EQ(outcome.status, 0);
  int checked = 0;
  ASSERT_EQ(std::sscanf(outcome.out.c_str(), "%d schedules checked, 0 wrong\n", &checked), 1)
      << outcome.out;
  EXPECT_GE(checked, 1 + 2 + 3 + 4 + 5);
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "colour in a pipe";
}

// The proof itself, for every row; larger p are in the evidence.
TEST(Check, ProvesTheWholeCatalogueToTwentyFour) {
  const Outcome outcome = run("check --max-p 24");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST(Check, ProvesOneTopology) {
  const Outcome outcome = run("check allreduce/leader --topology 2x3 --json");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_GT(report["cases"], 0);
  EXPECT_EQ(report["schedules"].get<int>(), 6 * report["cases"].get<int>());
  EXPECT_EQ(run("check allreduce/leader:inner=ring --topology 0,1,0,2,1").status, 0);
  // No operator allows it.
  EXPECT_NE(run_for_errors("check scan/leader --topology 2x3:cyclic")
                .out.find("nothing to prove: scan/leader needs nodes that hold consecutive ranks"),
            std::string::npos);
  EXPECT_NE(run_for_errors("check allreduce/leader --topology 2y3").out.find("is no topology"),
            std::string::npos);
}

TEST(Check, CountsTheSameOnAnyNumberOfThreads) {
  const std::string one = run("check barrier --max-p 9 --jobs 1").out;
  EXPECT_EQ(run("check barrier --max-p 9 --jobs 3").out, one);
}

// With given parameters each case is proved once, not for a list of values.
TEST(Check, PassesParametersOn) {
  const auto cases = [](const std::string& what) {
    const Outcome outcome = run("check " + what + " --max-p 6 --json");
    EXPECT_EQ(outcome.status, 0) << what;
    return nlohmann::json::parse(outcome.out)["cases"].get<int>();
  };
  const int all = cases("bcast/chain"), one = cases("bcast/chain:segment=4");
  EXPECT_GT(one, 0);
  EXPECT_LT(one, all);
  EXPECT_EQ(cases("bcast/chain:segment=2"), one);
  EXPECT_GT(cases("alltoall/bruck:radix=4G"), 0);  // as good as radix p
}

TEST(Check, JsonHoldsTotalsAndFindings) {
  const Outcome outcome = run("check scan --min-p 3 --max-p 3 --json");
  EXPECT_EQ(outcome.status, 0);
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["schedules"].get<int>(), 3 * report["cases"].get<int>());
  EXPECT_GT(report["cases"], 0);
  EXPECT_EQ(report["wrong"], 0);
  EXPECT_TRUE(report["findings"].empty());
}

TEST(Check, FindsNoConflictsOfATreeOnALinearArray) {
  const Outcome outcome = run("check bcast/binomial --conflicts mesh:13");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out,
            "algorithm       roots  steps  messages  links  load  conflicts\n"
            "bcast/binomial     13      4        12     12     1          0\n"
            "mesh:13, 13 ranks, 24 links: 1 algorithm, 1 without conflicts\n");
}

TEST(Check, NamesConflicts) {
  const Outcome outcome = run("check allgather/recursive_doubling --conflicts mesh:4");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out,
            "algorithm                     roots  steps  messages  links  load  conflicts\n"
            "allgather/recursive_doubling      -      2         8      6     2          2\n"
            "  step 2, link 1 -> 2: 0 -> 2 and 1 -> 3\n"
            "  step 2, link 2 -> 1: 2 -> 0 and 3 -> 1\n"
            "mesh:4, 4 ranks, 6 links: 1 algorithm, 0 without conflicts\n");
  EXPECT_NE(run("check bcast/linear --conflicts mesh:4").out.find("root 0, step 1, link 0 -> 1"),
            std::string::npos);
}

TEST(Check, ConflictsAsJson) {
  const Outcome outcome = run("check allgather --conflicts mesh:2x3 --json");
  EXPECT_EQ(outcome.status, 1);
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["mesh"], "mesh:2x3");
  EXPECT_EQ(report["ranks"], 6);
  EXPECT_EQ(report["links"], 14);
  bool seen = false;
  for (const auto& row : report["algorithms"]) {
    EXPECT_EQ(row["algorithm"].get<std::string>().rfind("allgather/", 0), 0u);
    EXPECT_EQ(row["conflicts"].get<int>() > 0, row["load"].get<int>() > 1);
    EXPECT_EQ(row["first"].empty(), row["conflicts"].get<int>() == 0);
    if (row["algorithm"] != "allgather/linear") continue;
    seen = true;
    EXPECT_EQ(row["messages"], 30);
    EXPECT_EQ(row["first"][0]["step"], 1);
    EXPECT_EQ(row["first"][0]["link"].size(), 2u);
    EXPECT_GE(row["first"][0]["messages"].size(), 2u);
  }
  EXPECT_TRUE(seen);
  const auto refused = nlohmann::json::parse(run("check alltoall --conflicts mesh:6 --json").out);
  ASSERT_FALSE(refused["cannot_run"].empty());
  EXPECT_NE(refused["cannot_run"][0]["unmet"].get<std::string>().find("power of two"),
            std::string::npos);
}

// A sample of roots on many ranks; nothing that knows nodes unless it is named.
TEST(Check, ConflictsOfTheWholeCatalogue) {
  const auto report = nlohmann::json::parse(run("check --conflicts torus:5x5 --json").out);
  std::size_t algorithms = report["cannot_run"].size();
  for (const auto& row : report["algorithms"]) {
    ++algorithms;
    EXPECT_EQ(row["algorithm"].get<std::string>().find("leader"), std::string::npos);
    if (row["algorithm"] == "bcast/binomial") {
      EXPECT_EQ(row["roots"].size(), 25u);
    }
  }
  EXPECT_GT(algorithms, 50u);
  const auto large = nlohmann::json::parse(run("check scatter --conflicts mesh:10x10 --json").out);
  EXPECT_EQ(large["algorithms"][0]["roots"], (std::vector<int>{0, 1, 50, 99}));
}

TEST(Check, ConflictsNeedAMesh) {
  const auto said = [](const std::string& arguments) {
    const Outcome outcome = run_for_errors("check " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    return outcome.out;
  };
  EXPECT_NE(said("bcast --conflicts 4y4").find("'4y4' is no mesh"), std::string::npos);
  EXPECT_NE(said("bcast --conflicts mesh:64x64").find("at most 1024"), std::string::npos);
  EXPECT_NE(said("alltoall/pairwise_xor --conflicts mesh:6").find("power of two"),
            std::string::npos);
  EXPECT_NE(said("bcast --conflicts mesh:4 --max-p 4").find("excludes"), std::string::npos);
}

TEST(Check, IsQuietOnStandardErrorWithoutATerminal) {
  EXPECT_EQ(run_for_errors("check barrier --max-p 3").out, "");
}

}  // namespace
}  // namespace tutti::core
