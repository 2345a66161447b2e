#include "measure/results.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace tutti::core {
namespace {

ResultRow row(std::string algorithm, std::vector<double> microseconds) {
  ResultRow one{.algorithm = std::move(algorithm)};
  for (const double each : microseconds) one.seconds.push_back(each * 1e-6);
  return one;
}

/// Ring is left out after two repetitions; the linear one is chosen, a chain is best.
CellResult example() {
  CellResult result{{.collective = Collective::allgatherv,
                     .p = 4,
                     .bytes = 1024,
                     .distribution = Distribution::spike},
                    5e-6,
                    {row("native", {24, 240, 2400}), row("allgatherv/ring", {48, 480}),
                     row("allgatherv/linear", {12, 120, 1200}),
                     row("allgatherv/pipelined_ring:segment=1K,x=2", {6, 60, 600})}};
  result.rows[2].chosen = true;
  result.evaluate();
  return result;
}

TEST(Results, FindsNativeChosenAndBest) {
  const CellResult result = example();
  EXPECT_EQ(result.native(), &result.rows[0]);
  EXPECT_EQ(result.chosen(), &result.rows[2]);
  EXPECT_EQ(result.best(), &result.rows[3]);
}

TEST(Results, NativeIsNeverBest) {
  CellResult result{{}, 0, {row("native", {1}), row("barrier/binomial", {9})}};
  result.evaluate();
  EXPECT_EQ(result.best(), &result.rows[1]);
  result.rows.pop_back();
  EXPECT_EQ(result.best(), nullptr);
  EXPECT_EQ(result.chosen(), nullptr);
}

/// The native takes 20 us, the other 10, as noisy as asked.
CellResult passes(int number, double noise) {
  CellResult result{
      {}, 0, {row("native", {}), row("barrier/binomial", {}), row("barrier/dissemination", {})}};
  for (int pass = 0; pass < number; ++pass) {
    const double other = 10e-6 * (1 + noise * (pass % 3 - 1));
    result.add_pass(
        {{20e-6, 20e-6}, {other, other}, pass == 0 ? std::vector{90e-6} : std::vector<double>{}});
  }
  result.evaluate();
  return result;
}

TEST(Results, PassesAddUp) {
  const CellResult result = passes(10, 0);
  EXPECT_EQ(result.rows[1].seconds.size(), 20u);
  EXPECT_EQ(result.rows[1].passes, std::vector<std::size_t>(10, 2));
  EXPECT_DOUBLE_EQ(result.rows[1].speed_up.value, 2);
}

TEST(Results, WhatWasLeftOutStaysOut) {
  const CellResult result = passes(3, 0);
  EXPECT_TRUE(result.goes_on(result.rows[0]));
  EXPECT_TRUE(result.goes_on(result.rows[1]));
  EXPECT_FALSE(result.goes_on(result.rows[2]));
  EXPECT_EQ(result.rows[2].passes, std::vector<std::size_t>{1});
  const CellResult before = passes(0, 0);
  EXPECT_TRUE(before.goes_on(before.rows[2]));
}

TEST(Results, PreciseAfterEnoughPasses) {
  EXPECT_FALSE(passes(0, 0).is_precise(10, 0.05));
  EXPECT_FALSE(passes(9, 0).is_precise(10, 0.05));
  EXPECT_TRUE(passes(10, 0).is_precise(10, 0.05));
  EXPECT_TRUE(passes(10, 0.04).is_precise(10, 0.05));
  EXPECT_FALSE(passes(10, 0.2).is_precise(10, 0.05));
}

// To look after every pass would stop at a lucky one.
TEST(Results, LooksForPrecisionAtDoublings) {
  for (const int number : {11, 19, 30, 50}) EXPECT_FALSE(passes(number, 0).is_precise(10, 0.05));
  for (const int number : {20, 40, 80}) EXPECT_TRUE(passes(number, 0).is_precise(10, 0.05));
}

TEST(Results, NotMeasuredIsNotBest) {
  CellResult result{{}, 0, {row("barrier/binomial", {}), row("barrier/dissemination", {9})}};
  result.evaluate();
  EXPECT_EQ(result.native(), nullptr);
  EXPECT_EQ(result.best(), &result.rows[1]);
  EXPECT_EQ(result.best()->speed_up.value, 0) << "there is nothing to compare with";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A named algorithm that cannot run leaves a gap, and says why wherever results are shown.
TEST(Results, WhatCannotRunIsAToldGap) {
  CellResult result = example();
  const std::string why = "needs nodes that hold consecutive ranks, or a commutative operator";
  result.rows.push_back({.algorithm = "allgatherv/leader", .unmet = why});
  EXPECT_FALSE(result.goes_on(result.rows.back()));
  result.evaluate();
  EXPECT_EQ(result.best(), &result.rows[3]);
  EXPECT_TRUE(holds(table_line(result), "  leader " + why + "\n")) << table_line(result);
  EXPECT_FALSE(holds(table_line(result), "WRONG")) << table_line(result);
  EXPECT_TRUE(holds(table_rows(result), why)) << table_rows(result);
  EXPECT_TRUE(holds(csv_of(result), ",\"" + why + "\"\n")) << csv_of(result);
  const auto json = json_of(result, false);
  EXPECT_EQ(json["rows"].back()["unmet"], why);
  EXPECT_EQ(json["rows"].back()["repetitions"], 0);
  EXPECT_FALSE(json["rows"].front().contains("unmet"));
  const CellResult fresh{{}, 0, {row("native", {}), {.algorithm = "barrier/leader", .unmet = why}}};
  EXPECT_FALSE(fresh.goes_on(fresh.rows[1])) << "not even in the first pass";
}

TEST(Results, SpeedUpIsTakenSideBySide) {
  const CellResult result = example();
  EXPECT_DOUBLE_EQ(result.rows[0].time.value, 240e-6);
  EXPECT_DOUBLE_EQ(result.rows[0].speed_up.value, 1);
  EXPECT_DOUBLE_EQ(result.rows[1].time.value, 264e-6);
  EXPECT_DOUBLE_EQ(result.rows[1].speed_up.value, 0.5) << "only the first two of the native";
  EXPECT_DOUBLE_EQ(result.rows[1].speed_up.low, 0.5);
  EXPECT_DOUBLE_EQ(result.rows[2].speed_up.value, 2);
  EXPECT_DOUBLE_EQ(result.rows[3].speed_up.high, 4);
}

TEST(Seconds, InAUnitThatFits) {
  for (const auto& [seconds, text] : {std::pair{1.234e-6, "1.23 us"},
                                      {12.34e-6, "12.3 us"},
                                      {123.4e-6, "123 us"},
                                      {1.52e-3, "1.52 ms"},
                                      {42e-3, "42.0 ms"},
                                      {2.5, "2.50 s"},
                                      {123.0, "123 s"}})
    EXPECT_EQ(format_seconds(seconds), text);
}

/// The fields of a line; quotes hold commas together.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> list(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      list.emplace_back();
    else
      list.back() += c;
  }
  return list;
}

TEST(Csv, HasAFieldForEachColumnOfItsHead) {
  const CellResult result = example();
  std::istringstream lines(csv_head() + csv_of(result));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const std::vector<std::string> head = fields(line);
  for (const ResultRow& row : result.rows) {
    ASSERT_TRUE(std::getline(lines, line));
    const std::vector<std::string> values = fields(line);
    ASSERT_EQ(values.size(), head.size()) << line;
    const auto value = [&](const std::string& column) {
      const auto at = std::find(head.begin(), head.end(), column);
      return at == head.end() ? "no column " + column : values[at - head.begin()];
    };
    EXPECT_EQ(value("collective"), "allgatherv");
    EXPECT_EQ(value("p"), "4");
    EXPECT_EQ(value("bytes"), "1024");
    EXPECT_EQ(value("distribution"), "spike");
    EXPECT_EQ(value("type"), "usual");
    EXPECT_EQ(value("algorithm"), row.algorithm);
    EXPECT_EQ(value("chosen"), row.chosen ? "1" : "0");
    EXPECT_EQ(value("correct"), "1");
    EXPECT_EQ(value("repetitions"), std::to_string(row.seconds.size()));
    EXPECT_NEAR(std::stod(value("us")), row.time.value * 1e6, 1e-3);
    EXPECT_NEAR(std::stod(value("us_low")), row.time.low * 1e6, 1e-3);
    EXPECT_NEAR(std::stod(value("us_high")), row.time.high * 1e6, 1e-3);
    EXPECT_NEAR(std::stod(value("speed_up")), row.speed_up.value, 1e-3);
    EXPECT_NEAR(std::stod(value("bound_us")), 5, 1e-3);
  }
  EXPECT_FALSE(std::getline(lines, line)) << line;
}

TEST(Json, HoldsWhatTheTableShows) {
  const CellResult result = example();
  const auto json = json_of(result, false);
  EXPECT_EQ(json["collective"], "allgatherv");
  EXPECT_EQ(json["p"], 4);
  EXPECT_EQ(json["bytes"], 1024);
  EXPECT_EQ(json["distribution"], "spike");
  EXPECT_EQ(json["best"], "allgatherv/pipelined_ring:segment=1K,x=2");
  EXPECT_EQ(json["chosen"], "allgatherv/linear");
  EXPECT_NEAR(json["bound_us"], 5, 1e-9);
  ASSERT_EQ(json["rows"].size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& entry = json["rows"][i];
    const ResultRow& row = result.rows[i];
    EXPECT_EQ(entry["algorithm"], row.algorithm);
    EXPECT_EQ(entry["chosen"], row.chosen);
    EXPECT_EQ(entry["correct"], true);
    EXPECT_EQ(entry["repetitions"], row.seconds.size());
    EXPECT_NEAR(entry["us"][0], row.time.value * 1e6, 1e-9);
    EXPECT_NEAR(entry["us"][1], row.time.low * 1e6, 1e-9);
    EXPECT_NEAR(entry["us"][2], row.time.high * 1e6, 1e-9);
    EXPECT_NEAR(entry["speed_up"][0], row.speed_up.value, 1e-9);
    EXPECT_NEAR(entry["over_bound"], row.time.value / 5e-6, 1e-9);
    EXPECT_FALSE(entry.contains("us_samples"));
  }
}

TEST(Json, HoldsSamplesWhenAsked) {
  const CellResult result = example();
  const auto json = json_of(result, true);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const auto& samples = json["rows"][i]["us_samples"];
    ASSERT_EQ(samples.size(), result.rows[i].seconds.size());
    for (std::size_t k = 0; k < samples.size(); ++k)
      EXPECT_NEAR(samples[k], result.rows[i].seconds[k] * 1e6, 1e-9);
  }
}

TEST(Table, ALineShowsNativeChosenAndBest) {
  const std::string line = table_line(example());
  for (const char* part :
       {"allgatherv", "1K", "spike", "240 us", "120 us", "2.00 (2.00-2.00)", " linear ", "60.0 us",
        "4.00 (4.00-4.00)", "12.00", "pipelined_ring:segment=1K,x=2\n"})
    EXPECT_TRUE(holds(line, part)) << part << " in " << line;
  EXPECT_FALSE(holds(line, "WRONG")) << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
}

TEST(Table, SaysWhatIsWrong) {
  CellResult result = example();
  result.rows[1].correct = false;
  EXPECT_TRUE(holds(table_line(result), "WRONG: ring\n")) << table_line(result);
  EXPECT_TRUE(holds(table_rows(result), "WRONG\n")) << table_rows(result);
  EXPECT_EQ(json_of(result, false)["rows"][1]["correct"], false);
  EXPECT_TRUE(holds(csv_of(result), "\"allgatherv/ring\",0,0,2,")) << csv_of(result);
}

TEST(Table, WithoutMeasurementsThereAreDashes) {
  const CellResult nothing{{.collective = Collective::barrier, .p = 2}, 0, {}};
  EXPECT_FALSE(holds(table_line(nothing), "us")) << table_line(nothing);
  CellResult result{{.collective = Collective::barrier, .p = 2}, 0, {row("native", {})}};
  result.evaluate();
  EXPECT_FALSE(holds(table_line(result), "us")) << table_line(result);
  EXPECT_FALSE(json_of(result, false)["rows"][0].contains("us"));
}

TEST(Table, RowsShowEveryAlgorithm) {
  const std::string text = table_rows(example());
  for (const char* part : {"allgatherv, p = 4, 1K, spike\n", "lower bound", "5.00 us", "native",
                           " ring ", "* linear", "pipelined_ring:segment=1K,x=2", "3 times"})
    EXPECT_TRUE(holds(text, part)) << part << " in " << text;
}

}  // namespace
}  // namespace tutti::core
