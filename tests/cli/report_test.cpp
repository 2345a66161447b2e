#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"

namespace tutti {
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
  EXPECT_EQ(run("show allgather/bruck -p 5 --format json -o " + file("s.json")).status, 0);
  EXPECT_EQ(run("report " + file("s.json") + " " TUTTI_SOURCE_DIR "/profiles/ibm-sp.json " +
                file("a.json") + " " + file("a.json") + " -o " + file("all.html"))
                .status,
            0);
  const Json data = data_of(contents(file("all.html")));
  EXPECT_EQ(data["results"].size(), 2u);
  EXPECT_EQ(data["profiles"].size(), 1u);
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

}  // namespace
}  // namespace tutti
