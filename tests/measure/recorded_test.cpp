#include "measure/recorded.hpp"

#include <gtest/gtest.h>

#include "measure/record.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

RecordedRow allreduces() {
  RecordedRow row;
  row.collective = "allreduce";
  row.size_class = 10;
  row.algorithm = "ring";
  row.why = "asked for";
  row.element = 8;
  row.calls = 2;
  row.nanoseconds = 4000;
  row.bytes = 2048;
  row.knows_bytes = true;
  row.arrivals = Arrivals(8);
  return row;
}

RecordedCommunicator world_of(int p) {
  RecordedCommunicator world;
  for (int rank = 0; rank < p; ++rank) world.ranks.push_back(rank);
  world.name = "world";
  return world;
}

/// As ranks 0, 1, ... tell it.
Recorded recorded(const std::vector<std::vector<RecordedCommunicator>>& ranks) {
  std::vector<std::string> texts;
  for (const auto& communicators : ranks) {
    std::vector<const RecordedCommunicator*> list;
    for (const RecordedCommunicator& each : communicators) list.push_back(&each);
    texts.push_back(pack_recorded(list, static_cast<int>(texts.size())));
  }
  return Recorded(texts);
}

RecordedRun run_of(int ranks) {
  RecordedRun run;
  run.command = {"/usr/bin/app", "-v"};
  run.version = "0.1.0";
  run.mpi = "an MPI";
  run.ranks = ranks;
  run.wall_seconds = 2;
  run.clock_error = 1500;
  run.profile = default_profile();
  return run;
}

/// The document of two ranks that make the same calls, each by its own rows.
Json document_of(const RecordedRow& first, const RecordedRow& second) {
  RecordedCommunicator a = world_of(2), b = world_of(2);
  a.rows.push_back(first);
  b.rows.push_back(second);
  return recorded({{a}, {b}}).document(run_of(2));
}

TEST(Recorded, SumsWhatRanksTellOfTheSameCalls) {
  RecordedRow slow = allreduces();
  slow.nanoseconds = 10000;
  const Json document = document_of(allreduces(), slow);
  EXPECT_EQ(document["program"], "app");
  EXPECT_EQ(document["clocks"]["error_us"], 1.5);
  EXPECT_EQ(document["communicators"][0]["ranks"], "0-1");
  ASSERT_EQ(document["rows"].size(), 1u);
  const Json& row = document["rows"][0];
  EXPECT_EQ(row["calls"], 2);
  EXPECT_EQ(row["calls_of_all_ranks"], 4);
  EXPECT_EQ(row["bytes_at_most"], 1024);
  EXPECT_EQ(row["bytes"], 2048.0);  // all told the same
  EXPECT_DOUBLE_EQ(row["seconds"].get<double>(), 14e-6);
  EXPECT_DOUBLE_EQ(row["seconds_of_slowest_rank"].get<double>(), 10e-6);
  EXPECT_TRUE(row["waiting_seconds"].is_null());
  EXPECT_NO_THROW(read_record(JsonReader(document)));
}

TEST(Recorded, OfAGathervEachRankTellsItsPart) {
  RecordedRow first = allreduces();
  first.collective = "gatherv";
  first.algorithm = "native";
  first.size_class = -1;
  RecordedRow second = first;
  second.bytes = 100;
  const Json document = document_of(first, second);
  ASSERT_EQ(document["rows"].size(), 1u);
  EXPECT_EQ(document["rows"][0]["bytes"], 2148.0);
  EXPECT_TRUE(document["rows"][0]["bytes_at_most"].is_null());
  EXPECT_TRUE(document["rows"][0]["predicted_us"].is_null());  // the MPI's own
  EXPECT_GT(document["rows"][0]["best_us"], 0);
}

TEST(Recorded, WhatDiffersIsARowOfItsOwnTheLongestFirst) {
  RecordedRow other = allreduces();
  other.why = "model";
  other.nanoseconds = 9000;
  const Json document = document_of(allreduces(), other);
  ASSERT_EQ(document["rows"].size(), 2u);
  EXPECT_EQ(document["rows"][0]["why"], "model");
  EXPECT_EQ(document["rows"][1]["why"], "asked for");
}

TEST(Recorded, PredictsWhatRanAndWhatIsBest) {
  const Json document = document_of(allreduces(), allreduces());
  const Json& row = document["rows"][0];
  EXPECT_GT(row["predicted_us"], 0);
  EXPECT_LE(row["best_us"], row["predicted_us"]);
  EXPECT_FALSE(row["best"].get<std::string>().empty());
  RecordedRow unknown = allreduces();
  unknown.collective = "iallreduce";
  unknown.knows_bytes = false;
  const Json nothing = document_of(unknown, unknown);
  for (const char* field : {"bytes", "predicted_us", "best", "best_us"})
    EXPECT_TRUE(nothing["rows"][0][field].is_null()) << field;
}

TEST(Recorded, SetsWaitingApart) {
  RecordedCommunicator a = world_of(2), b = world_of(2);
  a.rows.push_back(allreduces());
  a.rows[0].arrivals.note({1, 1000, 3000, 0});
  b.rows.push_back(allreduces());
  b.rows[0].arrivals.note({1, 3000, 1000, 0});
  Recorded both = recorded({{a}, {b}});
  const auto keys = both.rows_to_match();
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].communicator, a.key());
  EXPECT_EQ(keys[0].row, a.rows[0].key());
  both.match(keys[0], {a.rows[0].arrivals.kept(), b.rows[0].arrivals.kept()});
  const Json document = both.document(run_of(2));
  const Json& row = document["rows"][0];
  // Half of what was seen is waiting; so it is of all.
  EXPECT_DOUBLE_EQ(row["waiting_seconds"].get<double>(), 4e-6);
  EXPECT_EQ(row["sampled_calls"], 1);
  EXPECT_EQ(row["waited_for"]["rank"], 1);
  EXPECT_DOUBLE_EQ(row["waited_for"]["share"].get<double>(), 1);
}

// Who waited is asked only where every rank has said when it came.
TEST(Recorded, MatchesOnlyWhatAllRanksHaveNoted) {
  RecordedCommunicator a = world_of(2), b = world_of(2);
  a.rows.push_back(allreduces());
  a.rows[0].arrivals.note({1, 1000, 3000, 0});
  EXPECT_TRUE(recorded({{a}, {}}).rows_to_match().empty());
  b.rows.push_back(allreduces());
  EXPECT_TRUE(recorded({{a}, {b}}).rows_to_match().empty());
  b.rows[0].arrivals.note({1, 3000, 1000, 0});
  EXPECT_EQ(recorded({{a}, {b}}).rows_to_match().size(), 1u);
  a.split = b.split = 1;
  EXPECT_TRUE(recorded({{a}, {b}}).rows_to_match().empty());
  a.split = b.split = 0;
  a.ranks = b.ranks = {0, -1};
  EXPECT_TRUE(recorded({{a}, {b}}).rows_to_match().empty());
}

TEST(Recorded, CommunicatorsOfOneRankAreToldOfTogether) {
  const auto alone = [](int rank) {
    RecordedCommunicator self;
    self.ranks = {rank};
    self.rows.push_back(allreduces());
    return self;
  };
  const Json document = recorded({{alone(0)}, {alone(1)}}).document(run_of(2));
  ASSERT_EQ(document["communicators"].size(), 1u);
  EXPECT_EQ(document["communicators"][0]["name"], "self");
  EXPECT_EQ(document["communicators"][0]["ranks"], "each");
  EXPECT_EQ(document["rows"][0]["calls"], 4);
  EXPECT_EQ(document["rows"][0]["bytes"], 4096.0);
}

TEST(Recorded, NamesCommunicatorsByTheirRanks) {
  const auto name_of = [](std::vector<int> ranks, std::size_t split, int number,
                          const std::string& given) {
    RecordedCommunicator each;
    each.ranks = std::move(ranks);
    each.split = split;
    each.number = number;
    each.name = given;
    each.rows.push_back(allreduces());
    return recorded({{each}}).document(run_of(4))["communicators"][0]["name"].get<std::string>();
  };
  EXPECT_EQ(name_of({0, 1, 2}, 0, 0, ""), "ranks 0-2");
  EXPECT_EQ(name_of({0, 1, 2}, 0, 1, ""), "ranks 0-2 (2)");
  EXPECT_EQ(name_of({0, 1, 2}, 1, 0, ""), "between ranks 0 and 1-2");
  EXPECT_EQ(name_of({0, 1, 2}, 0, 1, "rows"), "rows");
}

TEST(Recorded, WritesNamesThatAreNoText) {
  Json document = document_of(allreduces(), allreduces());
  document["communicators"][0]["name"] = "\xff";
  EXPECT_NE(format_record(document).find("\xef\xbf\xbd"), std::string::npos);
  EXPECT_EQ(format_record(document).back(), '\n');
}

}  // namespace
}  // namespace tutti::core
