#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "request/request.hpp"

namespace tutti::core {
namespace {

nlohmann::json predict_json(const std::string& arguments) {
  const Outcome outcome = run("predict " + arguments + " --json");
  EXPECT_EQ(outcome.status, 0);
  return nlohmann::json::parse(outcome.out);
}

/// Nothing is known of the nodes, so that compositions are left out.
std::size_t flat_algorithms(Collective collective) {
  std::size_t count = 0;
  for (const Algorithm* each : algorithms_of(collective)) count += !each->node_aware;
  return count;
}

bool needs_commutative(const std::string& name) {
  return parse_request("allreduce/" + name).algorithm->valid.commutative;
}

TEST(Predict, JsonHoldsEveryAlgorithmTheBoundAndTheWinner) {
  const auto report = predict_json("allreduce -p 6,64 -n 8,1M");
  ASSERT_EQ(report["points"].size(), 4u);
  for (const auto& point : report["points"]) {
    ASSERT_EQ(point["predictions"].size(), flat_algorithms(Collective::allreduce));
    double best = std::numeric_limits<double>::infinity(), winner = 0;
    for (const auto& each : point["predictions"]) {
      if (!each["valid"]) continue;
      EXPECT_GE(each["seconds"].get<double>(), point["lower_bound"].get<double>() * (1 - 1e-9));
      best = std::min(best, each["seconds"].get<double>());
      if (each["winner"]) winner = each["seconds"];
    }
    EXPECT_NEAR(winner, best, best * 1e-9);
  }
}

TEST(Predict, SaysWhyAnAlgorithmCannotRun) {
  const auto six = predict_json("alltoall -p 6 -n 1K");
  for (const auto& each : six["points"][0]["predictions"])
    EXPECT_EQ(each["valid"], each["algorithm"] != "pairwise_xor") << each;
  const auto any_operator = predict_json("allreduce -p 8 -n 1K --noncommutative");
  for (const auto& each : any_operator["points"][0]["predictions"])
    EXPECT_EQ(each["valid"], !needs_commutative(each["algorithm"])) << each;
}

TEST(Predict, MarksTheWinnerInTheTable) {
  const Outcome outcome = run("predict bcast -p 1000000 -n 64");
  ASSERT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("lower bound"), std::string::npos);
  EXPECT_NE(outcome.out.find("\n* "), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "colour in a pipe";
}

// Empty messages are not sent: nothing takes time, and there is no bound to compare with.
TEST(Predict, WithoutDataTakesNoTime) {
  const auto report = predict_json("bcast -p 1,8 -n 0");
  for (const auto& point : report["points"])
    for (const auto& each : point["predictions"]) EXPECT_EQ(each["seconds"], 0) << each;
  const Outcome table = run("predict bcast -p 8 -n 0");
  EXPECT_EQ(table.out.find("x bound"), std::string::npos) << table.out;
}

TEST(Predict, ABarrierNeedsNoSize) {
  const auto report = predict_json("barrier -p 8");
  ASSERT_EQ(report["points"].size(), 1u);
  for (const auto& each : report["points"][0]["predictions"]) EXPECT_GT(each["seconds"], 0) << each;
}

// One double cannot be cut.
TEST(Predict, ReductionsCutWholeElements) {
  const auto report = predict_json("reduce -p 1000000 -n 8");
  for (const auto& each : report["points"][0]["predictions"]) {
    if (each["algorithm"] == "circulant") {
      EXPECT_EQ(each["parameters"]["blocks"], 1);
    } else if (each["algorithm"] == "chain") {
      EXPECT_EQ(each["parameters"]["segment"], 8);
    }
  }
}

TEST(Predict, TakesTheMostRanks) {
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    const auto report = predict_json(std::string(name_of(collective)) + " -p 16777215,16777216" +
                                     (collective == Collective::barrier ? "" : " -n 1024G"));
    for (const auto& point : report["points"])
      for (const auto& each : point["predictions"])
        if (each["valid"]) {
          EXPECT_GE(each["seconds"], point["lower_bound"]) << each;
        }
  }
}

TEST(Predict, HelpSaysWhatTheTimesAreFor) {
  EXPECT_NE(run("predict --help").out.find("equal blocks"), std::string::npos);
}

TEST(Predict, TakesAShippedProfileByNameOrAnyByFile) {
  const std::string arguments = "predict allgather -p 17 -n 4K --profile ";
  const Outcome by_name = run(arguments + "cray-t3e");
  EXPECT_EQ(by_name.status, 0);
  EXPECT_EQ(by_name.out, run(arguments + TUTTI_SOURCE_DIR "/profiles/cray-t3e.json").out);
  EXPECT_NE(by_name.out, run(arguments + "gigabit-ethernet").out);
}

TEST(Predict, CsvHasALineForEachPrediction) {
  std::istringstream lines(run("predict scan -p 4,5 -n 8 --csv").out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "collective,algorithm,p,bytes,seconds,lower_bound,winner");
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count)
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), 6);
  EXPECT_EQ(count, 2 * flat_algorithms(Collective::scan));
}

TEST(Predict, KnowsNodes) {
  const auto report = predict_json("bcast --topology 4x4 -n 8,1M");
  ASSERT_EQ(report["points"].size(), 2u);
  for (const auto& point : report["points"]) {
    EXPECT_EQ(point["p"], 16);
    EXPECT_EQ(point["topology"], "4x4");
    EXPECT_FALSE(point.contains("lower_bound"));  // it is the network's
    EXPECT_EQ(point["predictions"].size(), algorithms_of(Collective::bcast).size());
  }
  for (const auto& each : report["points"][0]["predictions"])
    if (each["algorithm"] == "leader") {
      EXPECT_EQ(each["parameters"]["inner"], "binomial");
      EXPECT_EQ(each["winner"], true);
    }
  EXPECT_NE(run("predict bcast --topology 4x4 -n 8").out.find("* bcast/leader:inner=binomial"),
            std::string::npos);
  EXPECT_NE(run("predict bcast --topology 2x2 -n 8 --csv").out.find("bcast,leader,4,8,"),
            std::string::npos);
  EXPECT_NE(run("predict bcast --topology 1x8 -n 8 --cores 2").out,
            run("predict bcast --topology 1x8 -n 8").out);
}

TEST(Predict, KnowsTheNodesOfTensOfThousandsOfRanks) {
  const auto report = predict_json("bcast --topology 1024x64 -n 8");
  EXPECT_EQ(report["points"][0]["p"], 65536);
  const auto& best = report["points"][0]["predictions"][0];
  EXPECT_TRUE(best["parameters"].contains("inner")) << best;
}

TEST(Predict, RefusesTopologiesItCannotUse) {
  const auto complaint = [](const std::string& arguments) {
    const Outcome outcome = run_for_errors("predict bcast -n 8 " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    return outcome.out;
  };
  EXPECT_NE(complaint("").find("how many ranks? Write -p RANKS"), std::string::npos);
  EXPECT_NE(complaint("--topology 2x2 -p 5"), "");
  EXPECT_NE(complaint("--topology 2x2 --profile cray-t3e").find("tells nothing of its nodes"),
            std::string::npos);
  EXPECT_NE(complaint("--topology 2x2 --map"), "");
  EXPECT_NE(complaint("-p 4 --cores 2"), "");
}

TEST(Predict, DrawsAMap) {
  const std::string map = "predict allreduce -p 2,3,4,8 -n 8,1K,1M --map";
  const Outcome text = run(map);
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("recursive_doubling"), std::string::npos) << text.out;
  const std::string file = testing::TempDir() + "tutti_map.svg";
  EXPECT_EQ(run(map + " --format svg -o " + file).out, "");
  EXPECT_EQ(contents(file).rfind("<svg", 0) == 0 || contents(file).rfind("<?xml", 0) == 0, true);
  EXPECT_EQ(run(map + " --format svg").out, contents(file));
  std::remove(file.c_str());
}

TEST(Predict, CrossoverGivesSizesAndFormulas) {
  const Outcome outcome =
      run("predict --crossover reduce_scatter -p 8,256 --profile myrinet-2000 "
          "--among recursive_doubling,pairwise --json");
  ASSERT_EQ(outcome.status, 0);
  const auto report = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(report["crossovers"].size(), 2u);
  for (const auto& each : report["crossovers"]) {
    ASSERT_EQ(each["fastest"].size(), 2u);
    EXPECT_EQ(each["fastest"][0]["algorithm"], "recursive_doubling");
    EXPECT_EQ(each["fastest"][1]["algorithm"], "pairwise");
    EXPECT_EQ(each["fastest"][1]["formula"],
              "(p - 1 - lg p) alpha / ((lg p - 2 (p-1)/p) (beta + gamma))");
  }
  EXPECT_NE(run("predict bcast --crossover -p 64").out.find("from 1  "), std::string::npos);
}

// The generated page says what the command says.
TEST(Predict, TheCutoffsOfThe2002PaperAreUpToDate) {
  const Outcome outcome = shell("TUTTI=" TUTTI_COMMAND " " TUTTI_SOURCE_DIR "/tools/cutoffs");
  ASSERT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, contents(TUTTI_SOURCE_DIR "/docs/cutoffs.md")) << "run tools/make-docs";
}

}  // namespace
}  // namespace tutti::core
