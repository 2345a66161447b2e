#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace tutti::core {
namespace {

/// A profile with a table, in a file.
std::string tuned() {
  const std::string path = testing::TempDir() + "/tuned.json";
  std::ofstream(path) << R"({
  "name": "tuned", "source": "made up",
  "alpha_us": 20, "beta_ns_per_byte": 8, "alpha_uni_us": 18, "beta_uni_ns_per_byte": 7,
  "gamma_ns_per_byte": 1,
  "node": {"latency_us": 0.15, "message_us": 0.12, "attach_us": 3, "copy_ns_per_byte": 0.1,
           "switch_us": 2.5, "cores": 4},
  "decisions": [
    {"collective": "allreduce", "topology": "4x4", "choices": [
      {"from": 0, "algorithm": "leader:inner=recursive_doubling", "us": 31, "measured": true},
      {"from": 65536, "algorithm": "ring", "us": 420, "measured": true},
      {"from": 1048576, "algorithm": "native", "us": 9000, "measured": false}]},
    {"collective": "allreduce", "topology": "8x1", "choices": [
      {"from": 0, "algorithm": "recursive_doubling", "us": 70, "measured": true},
      {"from": 4096, "algorithm": "ring", "us": 300, "measured": true}],
     "measured_us": [
      {"at": 8, "native": 71, "recursive_doubling": 70, "ring": 140},
      {"at": 512, "native": 91, "recursive_doubling": 80.5, "hybrid:shape=2x4": 90},
      {"at": 8192, "ring": 300, "native": 310},
      {"at": 1048576, "native": 9000}]},
    {"collective": "scatterv", "topology": "8x1", "choices": [
      {"from": 0, "algorithm": "linear", "us": 70, "measured": true}]},
    {"collective": "allgatherv", "topology": "8x1", "blocks": "even", "choices": [
      {"from": 0, "algorithm": "ring", "us": 90, "measured": true}]},
    {"collective": "allgatherv", "topology": "8x1", "blocks": "uneven", "choices": [
      {"from": 0, "algorithm": "bruck", "us": 60, "measured": true}]}
  ]})";
  return path;
}

nlohmann::json explain(const std::string& arguments) {
  const Outcome outcome = run("explain " + arguments + " --json");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  return nlohmann::json::parse(outcome.out)["points"];
}

TEST(Explain, TheModelChoosesWhereNoTableSays) {
  const auto points = explain("allreduce -p 64 -n 64,16M");
  ASSERT_EQ(points.size(), 2u);
  for (const auto& point : points) {
    EXPECT_EQ(point["takes"]["by"], "model");
    EXPECT_EQ(point["takes"]["measured"], false);
    const auto& best = point["predictions"][0];
    EXPECT_EQ(point["takes"]["seconds"], best["seconds"]);
    EXPECT_EQ(point["takes"]["algorithm"].get<std::string>().rfind(
                  "allreduce/" + best["algorithm"].get<std::string>(), 0),
              0u);
  }
  EXPECT_EQ(points[0]["takes"]["why"].get<std::string>().rfind("least latency", 0), 0u);
}

TEST(Explain, BlocksThatDifferMuchHaveTheirOwnRow) {
  const std::string profile = " --profile " + tuned();
  const auto takes = [&](const std::string& words) {
    return explain("allgatherv -p 8 -n 64K" + words + profile)[0]["takes"]["algorithm"];
  };
  EXPECT_EQ(takes(""), "allgatherv/ring");
  EXPECT_EQ(takes(" --distribution decreasing"), "allgatherv/ring");  // not by much
  EXPECT_EQ(takes(" --distribution spike"), "allgatherv/bruck");
  // The model sees them as they are: the largest block holds all up.
  const auto seconds = [](const std::string& words) {
    const auto points = explain("allgatherv -p 64 -n 16M" + words);
    for (const auto& each : points[0]["predictions"])
      if (each["algorithm"] == "ring") return each["seconds"].get<double>();
    return 0.0;
  };
  EXPECT_GT(seconds(" --distribution broadcast"), 4 * seconds(""));
  // Every place of the table that knows such blocks.
  EXPECT_EQ(explain("allgatherv -n 64K --distribution spike" + profile).size(), 1u);
  for (const char* words :
       {"allreduce -p 8 -n 64K --distribution spike", "alltoallv -p 8 --distribution spike",
        "allgatherv -p 8 -n 64K --distribution spiky"})
    EXPECT_EQ(run(std::string("explain ") + words).status, 2) << words;
}

TEST(Explain, OnAMeshMessagesShareLinks) {
  const auto points = explain("bcast --mesh 4x8 -n 4M");
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0]["p"], 32);
  const auto taken = [](const nlohmann::json& point) {
    const std::string name = point["takes"]["algorithm"];
    return name.substr(0, name.find(':'));
  };
  EXPECT_EQ(taken(points[0]), "bcast/chain");
  const auto switched = explain("bcast -p 32 -n 4M");
  EXPECT_EQ(taken(switched[0]), "bcast/circulant");
  EXPECT_GT(points[0]["takes"]["seconds"], switched[0]["takes"]["seconds"]);
  // A line of it.
  EXPECT_EQ(explain("bcast --mesh 4x8 -p 8 -n 4M")[0]["topology"], "8x1");
}

TEST(Explain, TheTableGoesFirst) {
  const auto points = explain("allreduce --topology 4x4 -n 8,64K,1G --profile " + tuned());
  ASSERT_EQ(points.size(), 3u);
  const auto& few = points[0]["takes"];
  EXPECT_EQ(few["algorithm"], "allreduce/leader:inner=recursive_doubling");
  EXPECT_EQ(few["by"], "profile");
  EXPECT_EQ(few["measured"], true);
  EXPECT_NEAR(few["seconds"].get<double>(), 31e-6, 1e-12);
  EXPECT_EQ(points[1]["takes"]["from"], 65536);
  EXPECT_NE(
      points[1]["takes"]["why"].get<std::string>().find("measured 420.00 us at its smallest size"),
      std::string::npos);
  EXPECT_EQ(points[2]["takes"]["algorithm"], "native");
  EXPECT_EQ(points[2]["takes"]["measured"], false);
}

TEST(Explain, CandidatesHaveTheirMeasuredTimes) {
  const auto points = explain("allreduce -p 8 -n 8,1K,16K,1M --profile " + tuned());
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0]["measured"]["bytes"], 8);
  const auto& near = points[1];
  EXPECT_EQ(near["measured"]["bytes"], 512) << "the nearest size";
  EXPECT_EQ(near["measured"]["seconds"].size(), 3u);
  EXPECT_NEAR(near["takes"]["seconds"].get<double>(), 80.5e-6, 1e-12);
  EXPECT_NE(near["takes"]["why"].get<std::string>().find(
                "measured 80.50 us at 512, before hybrid:shape=2x4 with 90.00 us"),
            std::string::npos)
      << near["takes"]["why"];
  EXPECT_EQ(points[2]["measured"]["bytes"], 8192);
  // There what is taken was not measured.
  EXPECT_FALSE(points[3].contains("measured"));
  EXPECT_NE(points[3]["takes"]["why"].get<std::string>().find("at its smallest size"),
            std::string::npos);
  const Outcome outcome = run("explain allreduce -p 8 -n 1K --profile " + tuned());
  EXPECT_NE(outcome.out.find("measured at 512\n* allreduce/recursive_doubling"), std::string::npos)
      << outcome.out;
}

TEST(Explain, TheProfileIsWhatProgramsFind) {
  const Outcome outcome =
      shell("TUTTI_PROFILE=" + tuned() + " " TUTTI_COMMAND " explain allreduce -p 8 -n 8 --json");
  ASSERT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["profile"], "tuned");
}

TEST(Explain, ATableIsForItsTopologyAlone) {
  EXPECT_EQ(explain("allreduce -p 8 -n 8 --profile " + tuned())[0]["takes"]["by"], "profile");
  EXPECT_EQ(explain("allreduce -p 9 -n 8 --profile " + tuned())[0]["takes"]["by"], "model");
  EXPECT_EQ(explain("allreduce --topology 2x4 -n 8 --profile " + tuned())[0]["takes"]["by"],
            "model");
}

TEST(Explain, WhatCannotRunIsNotTaken) {
  const auto point =
      explain("allreduce --topology 4x4 -n 64K --noncommutative --profile " + tuned())[0];
  EXPECT_EQ(point["takes"]["by"], "model");
  EXPECT_EQ(point["takes"]["why"].get<std::string>().rfind(
                "allreduce/ring of the profile's table needs a commutative operator", 0),
            0u)
      << point["takes"]["why"];
}

TEST(Explain, AnOperatorThatDoesNotCommuteIsTheProgramsOwn) {
  const std::string path = testing::TempDir() + "/gammas.json";
  std::ofstream(path) << R"({"name": "gammas", "source": "made up",
    "alpha_us": 20, "beta_ns_per_byte": 8, "alpha_uni_us": 18, "beta_uni_ns_per_byte": 7,
    "gamma_ns_per_byte": 1, "gammas": {"user": 50}})";
  const auto binomial = [&](const std::string& verb, const std::string& words) {
    const Outcome outcome = run(verb + " reduce -p 4 -n 1M --json --profile " + path + words);
    EXPECT_EQ(outcome.status, 0) << outcome.out;
    const auto point = nlohmann::json::parse(outcome.out)["points"][0];
    for (const auto& each : point["predictions"])
      if (each["algorithm"] == "binomial") return each["seconds"].get<double>();
    return 0.0;
  };
  // Two steps of combining, 49 ns a byte longer.
  const double more = 2 * (1 << 20) * 49e-9;
  for (const char* verb : {"explain", "predict"})
    EXPECT_NEAR(binomial(verb, " --noncommutative") - binomial(verb, ""), more, 0.01 * more)
        << verb;
}

TEST(Explain, WhatAProfileDoesNotTellOfNodesIsAsInTheDefault) {
  const auto points = explain("bcast --topology 1x4 -n 8 --profile cray-t3e");
  EXPECT_EQ(points[0]["takes"]["seconds"],
            explain("bcast --topology 1x4 -n 8")[0]["takes"]["seconds"]);
  EXPECT_NE(
      points[0]["takes"]["seconds"],
      explain("bcast --topology 1x4 -n 8 --cores 2 --profile cray-t3e")[0]["takes"]["seconds"]);
}

TEST(Explain, OnAMeshCallsOfAClassAreToldAlike) {
  const auto points = explain("bcast --mesh 4x8 -n 600K,1M");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["bytes"], 600 << 10);
  for (const char* field : {"algorithm", "seconds"})
    EXPECT_EQ(points[0]["takes"][field], points[1]["takes"][field]);
  EXPECT_EQ(points[0]["takes"]["why"],
            "as for all calls up to 1M, " + points[1]["takes"]["why"].get<std::string>());
}

TEST(Explain, WithoutAPlaceEveryPlaceOfTheTable) {
  const auto points = explain("allreduce -n 8 --profile " + tuned());
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["topology"], "4x4");
  EXPECT_EQ(points[1]["topology"], "8x1");
}

TEST(Explain, WhereNoSizeIsCommonTheChoiceIsForAGuess) {
  const auto points = explain("scatterv -p 8,16 --profile " + tuned());
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0]["bytes"], 8 << 10);
  EXPECT_EQ(points[0]["takes"]["algorithm"], "scatterv/linear");
  EXPECT_EQ(points[1]["bytes"], 16 << 10);
  EXPECT_EQ(points[1]["takes"]["by"], "model");
}

TEST(Explain, PrintsTheAnswerFirst) {
  const Outcome outcome = run("explain alltoall -p 6 -n 1K");
  ASSERT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("\ntakes alltoall/"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("pairwise_xor"), std::string::npos);
  EXPECT_NE(outcome.out.find("power of two"), std::string::npos) << "why it cannot run";
}

}  // namespace
}  // namespace tutti::core
