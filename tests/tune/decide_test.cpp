// Who is measured, how often, and what follows, with a team that makes up its times.

#include "tune/decide.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace tutti::core {
namespace {

constexpr int p = 8;

std::shared_ptr<const Topology> nodes() {
  return std::make_shared<const Topology>(Topology::one_node(p));
}

/// Seconds of an algorithm's call.
using Times = std::function<double(const std::string& name, std::size_t bytes)>;

/// A team whose clock stands still but while it measures.
class FakeTeam : public Team {
 public:
  struct Order {
    std::vector<Cell> cells;
    std::vector<std::string> names;
    int repetitions;
    bool first_time;
  };

  explicit FakeTeam(Times times, Noise noise = Noise::some)
      : times_(std::move(times)), noise_(noise) {}

  std::vector<std::vector<double>> measure(const std::vector<Cell>& cells,
                                           const std::vector<std::string>& names, int repetitions,
                                           bool first_time) override {
    orders.push_back({cells, names, repetitions, first_time});
    std::vector<std::vector<double>> samples;
    for (const std::string& name : names) {
      const double seconds = times_(name, cells.front().bytes);
      samples.emplace_back();
      for (int i = 0; i < repetitions && seconds > 0; ++i) samples.back().push_back(seconds);
      clock_ += seconds * repetitions * static_cast<double>(cells.size());
    }
    return samples;
  }
  double seconds() const override { return clock_; }
  bool is_interrupted() const override { return orders.size() >= most_orders; }
  Noise noise() const override { return noise_; }

  std::vector<Order> orders;
  std::size_t most_orders = 1u << 20;

 private:
  const Times times_;
  const Noise noise_;
  double clock_ = 1000;
};

Ranking ranking(bool exhaustive = false) {
  return {Machine{{.alpha = 1e-6, .beta = 1e-9, .gamma = 1e-10}, {}, {}}, nodes(), exhaustive};
}

std::vector<DecisionCase> ranked(const Ranking& by, std::vector<Collective> collectives,
                                 std::vector<std::size_t> sizes) {
  std::vector<DecisionCase> cases = all_cases(std::move(collectives), std::move(sizes), p);
  for (DecisionCase& each : cases) by.rank(each);
  return cases;
}

struct Outcome {
  std::vector<DecisionRow> rows;
  Decided report;
};

Outcome decide_with(FakeTeam& team, const Ranking& by, std::vector<DecisionCase> cases,
                    DecideOptions options) {
  Outcome outcome;
  outcome.rows = Decider(team, by, options, p, 0).decide(cases, nodes(), outcome.report);
  return outcome;
}

std::string taken(const DecisionRow& row, std::size_t bytes) {
  std::string name;
  for (const Decision& each : row.choices)
    if (each.from <= bytes)
      name = each.request ? std::string(each.request->algorithm->full_name()) : native_name;
  return name;
}

TEST(Decide, WhoIsFasterThanTheModelsChoiceIsTaken) {
  const Ranking by = ranking();
  FakeTeam team(
      [](const std::string& name, std::size_t) { return name == "native" ? 1e-6 : 1e-5; });
  const Outcome outcome =
      decide_with(team, by, ranked(by, {Collective::allreduce}, {1024}), {.budget = 10});
  ASSERT_EQ(outcome.rows.size(), 1u);
  EXPECT_EQ(taken(outcome.rows[0], 1024), "native");
  ASSERT_EQ(outcome.report.changes.size(), 1u);
  EXPECT_EQ(outcome.report.changes[0].chosen, "native");
  EXPECT_NEAR(outcome.report.changes[0].gain, 10, 1e-6);
  EXPECT_TRUE(outcome.rows[0].choices[0].measured);
}

TEST(Decide, TheModelsChoiceStaysWhereAllAreEqual) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string&, std::size_t) { return 1e-5; });
  const auto cases = ranked(by, {Collective::allreduce}, {8, 1 << 20});
  const std::string first = cases[0].contenders[0].name, last = cases[1].contenders[0].name;
  const Outcome outcome = decide_with(team, by, cases, {.budget = 10});
  EXPECT_TRUE(first.starts_with(taken(outcome.rows[0], 8)));
  EXPECT_TRUE(last.starts_with(taken(outcome.rows[0], 1 << 20)));
  EXPECT_TRUE(outcome.report.changes.empty());
}

TEST(Decide, WhereTheChoiceChangesASizeBetweenIsMeasuredToo) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string& name, std::size_t bytes) {
    return (name == "native") == (bytes >= 4096) ? 1e-6 : 1e-5;
  });
  const auto cases = ranked(by, {Collective::allreduce}, {1024, 16384});
  const Outcome outcome = decide_with(team, by, cases, {.budget = 10});
  EXPECT_GT(outcome.report.sizes, cases.size());
  EXPECT_NE(taken(outcome.rows[0], 1024), "native");
  EXPECT_EQ(taken(outcome.rows[0], 16384), "native");
  const auto between = std::find_if(team.orders.begin(), team.orders.end(), [](const auto& each) {
    return each.cells[0].bytes > 1024 && each.cells[0].bytes < 16384;
  });
  ASSERT_NE(between, team.orders.end());
  EXPECT_TRUE(between->first_time);
}

TEST(Decide, WhoIsHopelessIsNotMeasuredAgain) {
  const Ranking by = ranking();
  FakeTeam team(
      [](const std::string& name, std::size_t) { return name == "native" ? 1e-4 : 1e-5; });
  decide_with(team, by, ranked(by, {Collective::allreduce}, {1024}), {.budget = 10});
  ASSERT_FALSE(team.orders.empty());
  for (std::size_t i = 0; i < team.orders.size(); ++i) {
    const auto& names = team.orders[i].names;
    EXPECT_EQ(std::find(names.begin(), names.end(), "native") != names.end(), i == 0);
    EXPECT_EQ(team.orders[i].first_time, i == 0);
  }
}

TEST(Decide, WhoFailsLeaves) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string& name, std::size_t) { return name == "native" ? 0 : 1e-5; });
  const Outcome outcome =
      decide_with(team, by, ranked(by, {Collective::allreduce}, {1024}), {.budget = 10});
  EXPECT_NE(taken(outcome.rows[0], 1024), "native");
  for (std::size_t i = 1; i < team.orders.size(); ++i)
    for (const std::string& name : team.orders[i].names) EXPECT_NE(name, "native");
}

TEST(Decide, TheBudgetIsKept) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string&, std::size_t) { return 0.01; });
  const double begin = team.seconds();
  const Outcome outcome = decide_with(team, by, ranked(by, {}, {8, 1024, 1 << 20}), {.budget = 2});
  EXPECT_LT(team.seconds() - begin, 4);
  EXPECT_GT(team.seconds() - begin, 0.5);
  EXPECT_LT(outcome.report.measured, outcome.report.sizes);
  EXPECT_GT(outcome.report.measured, 0u);
}

TEST(Decide, WithoutNoiseOneCallSaysItAll) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string& name, std::size_t) { return name == "native" ? 1e-6 : 1e-5; },
                Noise::none);
  const Outcome outcome =
      decide_with(team, by, ranked(by, {Collective::bcast}, {1024}), {.budget = 1e-9});
  ASSERT_EQ(team.orders.size(), 1u);
  EXPECT_EQ(team.orders[0].repetitions, 1);
  EXPECT_EQ(taken(outcome.rows[0], 1024), "native");
}

TEST(Decide, AnInterruptionEndsIt) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string&, std::size_t) { return 1e-5; });
  team.most_orders = 3;
  decide_with(team, by, ranked(by, {}, {8, 1024}), {.budget = 100});
  EXPECT_EQ(team.orders.size(), 3u);
}

TEST(Decide, ProgressRisesAndNamesWhatComes) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string&, std::size_t) { return 1e-4; });
  double last = 0;
  std::set<std::string> names;
  decide_with(team, by, ranked(by, {Collective::allreduce}, {8, 1 << 20}),
              {.budget = 10, .progress = [&](double share, const std::string& what) {
                 EXPECT_GE(share, last);
                 EXPECT_LE(share, 1);
                 last = share;
                 names.insert(what);
               }});
  EXPECT_TRUE(names.contains("allreduce 8"));
  EXPECT_TRUE(names.contains("allreduce 1M"));
}

TEST(Decide, EvenAndUnevenBlocksHaveRowsOfTheirOwn) {
  const Ranking by = ranking();
  FakeTeam team([](const std::string&, std::size_t) { return 1e-5; });
  const Outcome outcome =
      decide_with(team, by, ranked(by, {Collective::allgatherv}, {1024}), {.budget = 10});
  std::set<Evenness> kinds;
  for (const DecisionRow& row : outcome.rows) kinds.insert(row.blocks);
  EXPECT_EQ(kinds, (std::set{Evenness::even, Evenness::uneven}));
}

}  // namespace
}  // namespace tutti::core
