#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::json;

std::string file(const std::string& name) { return testing::TempDir() + "report-" + name; }

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// What `tutti bench -o` writes, with one cell.
Json results() {
  return Json::parse(R"({
    "program": "tutti bench", "version": "0.1.0", "commit": "abc", "date": "2026-01-01T00:00:00Z",
    "command": ["tutti", "bench"], "mpi": "Open MPI 4.1.4", "ranks": 2,
    "layout": [{"host": "a", "ranks": "0-1"}], "system": "Linux", "processor": "x", "cores": 2,
    "bed": "", "environment": {}, "method": {"start": "s", "interval": "i"},
    "line": {"alpha_us": 1, "beta_ns_per_byte": 0.1, "source": "measured"}, "complete": true,
    "cells": [{"collective": "bcast", "p": 2, "bytes": 8, "distribution": "regular",
               "type": "usual", "root": 0, "bound_us": 1.5, "rows": [
      {"algorithm": "native", "chosen": false, "correct": true, "repetitions": 3, "passes": 1,
       "us": [4.25, 4, 5], "us_samples": [4, 4.25, 5], "samples_of_passes": [3]},
      {"algorithm": "bcast/binomial", "chosen": true, "correct": true, "repetitions": 0,
       "passes": 0, "unmet": "</script>"}]}]})");
}

/// What `tutti run --record` writes, with one row.
Json record() {
  return Json::parse(R"({
    "kind": "record", "program": "app", "command": ["./app"], "version": "0.1.0", "mpi": "MPICH",
    "ranks": 2, "topology": "1x2", "wall_seconds": 2,
    "profile": {"name": "fabric-100g", "measured": false},
    "clocks": {"number": 1, "error_us": 0},
    "communicators": [{"name": "world", "size": 2, "ranks": "0-1", "topology": "1x2"}],
    "rows": [{"collective": "scan", "communicator": 0, "bytes_at_most": 8, "algorithm": "linear",
      "parameters": "", "why": "asked for", "calls": 1, "calls_of_all_ranks": 2, "bytes": 8,
      "seconds": 1, "seconds_of_slowest_rank": 0.5, "waiting_seconds": 0.25, "predicted_us": 2,
      "best": "linear", "best_us": 2}]})");
}

/// The data of a page.
Json data_of(const std::string& page) {
  const std::string place = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(place) + place.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::string complaint(const Json& document) {
  write(file("bad.json"), document.dump());
  const Outcome outcome = run_for_errors("report " + file("bad.json") + " -o " + file("bad.html"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  EXPECT_NE(outcome.out.find("report-bad.json"), std::string::npos) << outcome.out;
  EXPECT_FALSE(std::ifstream(file("bad.html")).good());
  return outcome.out;
}

TEST(Report, HoldsTheResultsWithoutSamples) {
  write(file("a.json"), results().dump());
  EXPECT_EQ(run("report " + file("a.json") + " -o " + file("a.html")).status, 0);
  const std::string page = contents(file("a.html"));
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
  const Json data = data_of(page);
  Json wanted = results();
  wanted["file"] = "report-a.json";
  for (auto& row : wanted["cells"][0]["rows"]) {
    row.erase("us_samples");
    row.erase("samples_of_passes");
  }
  EXPECT_EQ(data["results"], Json::array({wanted}));
}

TEST(Report, TakesEveryKindInAnyOrder) {
  write(file("a.json"), results().dump());
  write(file("r.json"), record().dump());
  EXPECT_EQ(run("show allgather/bruck -p 5 --format json -o " + file("s.json")).status, 0);
  EXPECT_EQ(
      run("report " + file("s.json") + " " TUTTI_SOURCE_DIR "/profiles/ibm-sp.json " +
          file("a.json") + " " + file("r.json") + " " + file("a.json") + " -o " + file("all.html"))
          .status,
      0);
  const Json data = data_of(contents(file("all.html")));
  EXPECT_EQ(data["results"].size(), 2u);
  EXPECT_EQ(data["profiles"].size(), 1u);
  EXPECT_EQ(data["records"][0]["rows"][0]["seconds"], 1);
  EXPECT_EQ(data["records"][0]["advice"][0],
            "Collectives take 25 % of the run: 500 ms of 2 s on each rank, on average.");
  EXPECT_EQ(data["schedules"][0]["file"], "report-s.json");
  EXPECT_EQ(data["schedules"][0]["p"], 5);
}

TEST(Report, NamesTheFieldThatIsWrong) {
  Json bad = results();
  bad["cells"][0]["rows"][0]["us"] = "fast";
  EXPECT_NE(complaint(bad).find("cells[0].rows[0].us must be a list"), std::string::npos);
  bad = results();
  bad["cells"][0].erase("bytes");
  EXPECT_NE(complaint(bad).find("cells[0] lacks the field \"bytes\""), std::string::npos);
  bad = results();
  bad["cells"][0]["collective"] = "allgahter";
  EXPECT_NE(complaint(bad).find("cells[0].collective is \"allgahter\""), std::string::npos);
  bad = results();
  bad["line"].erase("alpha_us");
  EXPECT_NE(complaint(bad).find("line lacks the field \"alpha_us\""), std::string::npos);
  bad = results();
  bad["cells"][0]["rows"][0]["us"] = {1, 2};
  EXPECT_NE(complaint(bad).find("[median, low, high]"), std::string::npos);
  bad = results();
  bad["guidelines"] = {{{"rule", "a <= b"}}};
  EXPECT_NE(complaint(bad).find("guidelines[0] lacks the field \"p\""), std::string::npos);
  bad = record();
  bad["rows"][0].erase("why");
  EXPECT_NE(complaint(bad).find("rows[0] lacks the field \"why\""), std::string::npos);
  EXPECT_NE(complaint({{"kind", "poem"}}).find("tutti bench -o FILE"), std::string::npos);
  EXPECT_NE(complaint({{"alpha_us", 1}}).find("profile"), std::string::npos);
}

// Schedules that do not do what they are for are not played.
TEST(Report, ChecksSchedules) {
  EXPECT_EQ(run("show allgather/ring -p 3 --format json -o " + file("s.json")).status, 0);
  const Json good = Json::parse(contents(file("s.json")));
  Json bad = good;
  bad["schedules"][1]["rounds"][1][0]["to"] = 1;
  EXPECT_NE(complaint(bad).find("schedules are wrong"), std::string::npos);
  bad = good;
  bad["schedules"].erase(2);
  EXPECT_NE(complaint(bad).find("must be 3"), std::string::npos);
  bad = good;
  bad["schedules"][0]["rounds"][0][0]["action"] = "sned";
  EXPECT_NE(complaint(bad).find("schedules[0]"), std::string::npos);
  bad = good;
  bad["problem"]["p"] = 1000;
  EXPECT_NE(complaint(bad).find("problem.p is 1000"), std::string::npos);
  bad = good;
  bad["problem"]["root"] = 100;
  EXPECT_NE(complaint(bad).find("problem"), std::string::npos);
}

TEST(Report, BadInputIsOneLine) {
  write(file("half.json"), results().dump().substr(0, 200));
  write(file("a.json"), results().dump());
  const std::vector<std::pair<std::string, std::string>> all{
      {"report", "FILES"},
      {"report " + file("none.json"), "cannot read"},
      {"report " + testing::TempDir(), "is a folder"},
      {"report " + file("half.json"), "not JSON"},
      {"report " + file("a.json") + " -o /no/such/folder/x.html", "cannot write"},
      {"report " + file("a.json") + " --profile nowhere", "nowhere"}};
  for (const auto& [arguments, says] : all) {
    const Outcome outcome = run_for_errors(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_NE(outcome.out.find(says), std::string::npos) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
}

/// What `tutti trace -o` writes: rank 0 sends 1000 bytes to rank 1, which combines them.
Json trace() {
  return Json::parse(R"({"displayTimeUnit": "ns", "traceEvents": [
    {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 0, "args": {"name": "rank 0"}},
    {"ph": "X", "name": "reduce/binomial", "cat": "call", "pid": 0, "tid": 0, "ts": 0, "dur": 10,
     "args": {"call": 0, "bytes": 1000}},
    {"ph": "X", "name": "reduce/binomial", "cat": "call", "pid": 1, "tid": 0, "ts": 2, "dur": 10,
     "args": {"call": 0, "bytes": 1000}},
    {"ph": "X", "name": "receive", "cat": "recv", "pid": 1, "tid": 2, "ts": 3, "dur": 4,
     "args": {"call": 0, "peer": 0, "round": 0, "bytes": 1000, "message": 0}},
    {"ph": "X", "name": "send", "cat": "send", "pid": 0, "tid": 1, "ts": 4, "dur": 1,
     "args": {"call": 0, "peer": 1, "round": 0, "bytes": 1000, "message": 0}},
    {"ph": "X", "name": "combine", "cat": "reduce", "pid": 1, "tid": 3, "ts": 7, "dur": 3,
     "args": {"call": 0, "round": 0, "bytes": 1000}}],
    "tutti": {"kind": "trace", "ranks": 2, "version": "1", "mpi": "Open MPI 4.1.4",
     "profile": {"name": "bed", "alpha_us": 9, "beta_ns_per_byte": 9, "alpha_uni_us": 1,
                 "beta_uni_ns_per_byte": 2, "gamma_ns_per_byte": 0.5},
     "clocks": [{"rank": 0, "host": "a", "clock": 0, "offset_us": 0, "drift_us_per_s": 0,
                 "error_us": 0},
                {"rank": 1, "host": "b", "clock": 1, "offset_us": 5, "drift_us_per_s": 0,
                 "error_us": 0.5}],
     "messages": 1, "received_before_sent": 0, "received_before_sent_us": 0,
     "dropped_events": 0, "dropped_calls": 0,
     "calls": [{"name": "reduce/binomial", "bytes": 1000, "begin_us": 0, "us": 12,
                "ranks": []}]}})");
}

TEST(Report, ATraceHasTimeLinesMeasuredAndPlanned) {
  write(file("t.json"), trace().dump());
  EXPECT_EQ(run("report " + file("t.json") + " -o " + file("t.html")).status, 0);
  const Json data = data_of(contents(file("t.html")))["traces"][0];
  EXPECT_EQ(data["profile"], "bed");
  EXPECT_EQ(data["clock_error_us"], 0.5);
  EXPECT_EQ(data["calls"].size(), 1u);
  const Json& call = data["calls"][0];
  EXPECT_EQ(call["who"], Json::parse("[0, 1]"));
  const Json& measured = call["measured"];
  EXPECT_EQ(measured["us"], 12);
  // Communication, combining, idle, away; begin and end.
  EXPECT_EQ(measured["ranks"][0]["spans"], Json::parse("[2,0,4, 0,4,7, 2,7,10, 3,10,12]"));
  EXPECT_EQ(measured["ranks"][1]["spans"], Json::parse("[3,0,2, 2,2,4, 0,4,7, 1,7,10, 2,10,12]"));
  EXPECT_EQ(measured["ranks"][1]["idle_us"], 4);
  EXPECT_EQ(measured["messages"], Json::parse("[[0, 1, 4, 7, 1000]]"));
  const Json& planned = call["planned"];
  EXPECT_EQ(planned["us"], 3.5) << "1 us, 1000 bytes of 2 ns, and 0.5 ns to combine each";
  EXPECT_EQ(planned["ranks"][0]["spans"], Json::parse("[0,0,3, 3,3,3.5]"));
  EXPECT_EQ(planned["ranks"][1]["spans"], Json::parse("[0,0,3, 1,3,3.5]"));
  // Another machine.
  EXPECT_EQ(run("report --profile ibm-sp " + file("t.json") + " -o " + file("t.html")).status, 0);
  EXPECT_EQ(data_of(contents(file("t.html")))["traces"][0]["profile"], "ibm-sp");
}

TEST(Report, RefusesATraceThatIsNone) {
  const auto with = [](auto&& change) {
    Json document = trace();
    change(document);
    return complaint(document);
  };
  const auto expect = [](const std::string& text, const std::string& says) {
    EXPECT_NE(text.find(says), std::string::npos) << text;
  };
  expect(with([](Json& j) { j.erase("tutti"); }), "lacks the field \"tutti\"");
  expect(with([](Json& j) { j["traceEvents"][2]["pid"] = 2; }), "traceEvents[2].pid is no rank");
  expect(with([](Json& j) { j["traceEvents"][3]["args"]["call"] = 1; }), "is no call");
  expect(with([](Json& j) { j["traceEvents"][3]["args"]["peer"] = 9; }), "is no rank");
  expect(with([](Json& j) { j["traceEvents"][3]["cat"] = "x"; }), "traceEvents[3].cat must be");
  expect(with([](Json& j) { j["traceEvents"][1]["ts"] = "x"; }), "must be a number");
  expect(with([](Json& j) { j["tutti"]["calls"].push_back({{"name", "x"}}); }), "has no event");
}

}  // namespace
}  // namespace tutti::core
