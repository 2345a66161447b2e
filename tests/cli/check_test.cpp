#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace tutti {
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

TEST(Check, IsQuietOnStandardErrorWithoutATerminal) {
  EXPECT_EQ(run_for_errors("check barrier --max-p 3").out, "");
}

}  // namespace
}  // namespace tutti
