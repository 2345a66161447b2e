#include "measure/record.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

/// On four ranks in ten seconds; 2.4 s on each rank are allreduces, three quarters of it waiting.
Json example_record() {
  return Json::parse(R"({
    "kind": "record", "program": "app", "command": ["./app", "-v"], "version": "0.1.0",
    "mpi": "Open MPI 4.1.4", "ranks": 4, "topology": "1x4", "wall_seconds": 10,
    "profile": {"name": "fabric-100g", "measured": false},
    "clocks": {"number": 1, "error_us": 0},
    "communicators": [{"name": "world", "size": 4, "ranks": "0-3", "topology": "1x4"}],
    "rows": [
      {"collective": "allreduce", "communicator": 0, "bytes_at_most": 1024,
       "algorithm": "recursive_doubling", "parameters": "", "why": "model: least predicted time",
       "calls": 100, "calls_of_all_ranks": 400, "bytes": 100000, "seconds": 9.6,
       "seconds_of_slowest_rank": 2.6, "waiting_seconds": 7.2, "sampled_calls": 100,
       "waited_for": {"rank": 3, "share": 0.9}, "predicted_us": 3, "best": "recursive_doubling",
       "best_us": 3}]})");
}

Json native_bcast() {
  return Json::parse(R"({"collective": "bcast", "communicator": 0, "bytes_at_most": 1048576,
    "algorithm": "native", "parameters": "", "why": "off", "calls": 100, "calls_of_all_ranks": 400,
    "bytes": 100000000, "seconds": 4, "seconds_of_slowest_rank": 1, "waiting_seconds": 0,
    "sampled_calls": 100, "predicted_us": null, "best": "circulant", "best_us": 4000})");
}

std::vector<std::string> advice(const Json& document) {
  return read_record(JsonReader(document))["advice"];
}

TEST(Record, SaysHowMuchAndForWhomRanksWait) {
  const auto lines = advice(example_record());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "Collectives take 24 % of the run: 2.4 s of 10 s on each rank, on average.");
  EXPECT_EQ(
      lines[1],
      "75 % of the time of allreduce is waiting for the last rank, mostly for rank 3: balance "
      "the work before it; a faster algorithm gains at most 600 ms on each rank.");
}

TEST(Record, OfABcastTheRootIsWaitedFor) {
  Json document = example_record();
  document["rows"][0]["collective"] = "bcast";
  document["rows"][0].erase("waited_for");
  EXPECT_NE(advice(document)[1].find("of bcast is waiting for the root: balance"),
            std::string::npos)
      << advice(document)[1];
}

TEST(Record, NamesTheBetterAlgorithmAndWhatSettlesIt) {
  Json document = example_record();
  document["rows"] = {native_bcast()};
  const auto lines = advice(document);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1],
            "bcast of at most 1M bytes on world ran natively (off): circulant is predicted to take "
            "0.40 of the time measured, 600 ms less on each rank: the profile fabric-100g was not "
            "measured here, tutti tune would settle it.");
  document["profile"]["measured"] = true;
  EXPECT_NE(advice(document)[1].find("ask for it by name"), std::string::npos);
  EXPECT_NEAR(read_record(JsonReader(document))["rows"][0]["gain_seconds"].get<double>(), 0.6,
              1e-9);
}

// Predictions are held against predictions, where there is one of what ran.
TEST(Record, ComparesLikeWithLike) {
  Json document = example_record();
  document["rows"] = {native_bcast()};
  Json& row = document["rows"][0];
  row["algorithm"] = "linear";
  row["why"] = "asked for";
  row["predicted_us"] = 4400;
  EXPECT_EQ(advice(document).size(), 2u);
  EXPECT_NE(advice(document)[1].find("Nothing stands out"), std::string::npos);
  row["predicted_us"] = 40000;
  EXPECT_NE(advice(document)[1].find("ran with linear (asked for): circulant is predicted to take "
                                     "0.10 of its time, 900 ms less"),
            std::string::npos)
      << advice(document)[1];
  // Who has measured knows better.
  row["why"] = "profile, measured 31 us";
  EXPECT_NE(advice(document)[1].find("Nothing stands out"), std::string::npos);
}

TEST(Record, CountsSmallCallsAndThoseThatAreNotSeen) {
  Json document = example_record();
  Json& row = document["rows"][0];
  row["waiting_seconds"] = 1;
  row["calls"] = 20000;
  row["calls_of_all_ranks"] = 80000;
  EXPECT_NE(advice(document)[1].find("20000 calls of allreduce of at most 1K bytes on world take "
                                     "2.15 s on each rank"),
            std::string::npos)
      << advice(document)[1];
  row["collective"] = "barrier";
  row["bytes_at_most"] = nullptr;
  EXPECT_NE(advice(document)[1].find("20000 barriers on world"), std::string::npos);
  row = native_bcast();
  row["collective"] = "ibcast";
  row["why"] = "nonblocking";
  row["waiting_seconds"] = row["best"] = row["best_us"] = nullptr;
  EXPECT_NE(advice(document).back().find("100 calls are nonblocking or persistent"),
            std::string::npos);
}

TEST(Record, SaysWhereLittleIsToGain) {
  Json document = example_record();
  document["wall_seconds"] = 1000;
  const auto lines = advice(document);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("little to gain"), std::string::npos);
  document["rows"] = Json::array();
  EXPECT_EQ(advice(document).size(), 1u);
}

TEST(Record, NamesTheFieldThatIsWrong) {
  const auto complaint = [](const Json& document) -> std::string {
    try {
      read_record(JsonReader(document));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(example_record()), "");
  Json bad = example_record();
  bad["rows"][0].erase("calls");
  EXPECT_EQ(complaint(bad), "rows[0] lacks the field \"calls\"");
  bad = example_record();
  bad["rows"][0]["communicator"] = 1;
  EXPECT_EQ(complaint(bad), "rows[0].communicator is 1, but at most 0 is possible");
  bad = example_record();
  bad["rows"][0]["seconds"] = -1;
  EXPECT_EQ(complaint(bad), "rows[0].seconds must not be negative");
  bad = example_record();
  bad["communicators"] = Json::array();
  EXPECT_EQ(complaint(bad), "communicators must not be empty");
  bad = example_record();
  bad["ranks"] = 0;
  EXPECT_EQ(complaint(bad), "ranks must be at least 1");
}

}  // namespace
}  // namespace tutti::core
