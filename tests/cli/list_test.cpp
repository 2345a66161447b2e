#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "algorithms/registry.hpp"
#include "cli/command.hpp"

namespace tutti::core {
namespace {

TEST(List, JsonHoldsEveryRowWithItsFields) {
  const Outcome outcome = run("list --json");
  ASSERT_EQ(outcome.status, 0);
  const auto rows = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(rows.size(), registry().size());
  std::set<std::string> collectives, names;
  for (const auto& row : rows) {
    for (const char* field :
         {"collective", "algorithm", "valid", "rounds", "cost", "source", "summary", "scratch"})
      EXPECT_FALSE(row.at(field).get<std::string>().empty()) << row << " " << field;
    EXPECT_TRUE(row.at("parameters").is_array());
    collectives.insert(row["collective"]);
    names.insert(row["collective"].get<std::string>() + "/" + row["algorithm"].get<std::string>());
  }
  EXPECT_EQ(collectives.size(), static_cast<std::size_t>(collective_count));
  EXPECT_EQ(names.size(), rows.size());
}

TEST(List, TakesOneCollective) {
  const Outcome outcome = run("list barrier --json");
  ASSERT_EQ(outcome.status, 0);
  for (const auto& row : nlohmann::json::parse(outcome.out))
    EXPECT_EQ(row["collective"], "barrier");
}

TEST(List, TableNamesEveryAlgorithm) {
  const Outcome outcome = run("list");
  ASSERT_EQ(outcome.status, 0);
  for (const Algorithm& algorithm : registry())
    EXPECT_NE(outcome.out.find("\n" + algorithm.full_name() + " "), std::string::npos);
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "colour in a pipe";
}

TEST(List, DocumentIsNotStale) {
  const Outcome outcome = run("list --markdown");
  ASSERT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, contents(TUTTI_SOURCE_DIR "/docs/algorithms.md"))
      << "docs/algorithms.md is stale: run make docs";
}

TEST(List, DocumentEscapesPipesAndNamesFilesThatExist) {
  std::istringstream lines(run("list --markdown").out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| [", 0) != 0) continue;
    int pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(pipes, 8) << line;
    const std::size_t open = line.find("](../"), close = line.find(')', open);
    EXPECT_FALSE(contents(TUTTI_SOURCE_DIR "/" + line.substr(open + 5, close - open - 5)).empty())
        << line;
  }
}

}  // namespace
}  // namespace tutti::core
