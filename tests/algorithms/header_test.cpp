// What the comment on top of an algorithm's file claims stands in the registry too, word for word.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catalogue.hpp"
#include "request/request.hpp"

namespace tutti::core {
namespace {

std::string source_of(std::string_view file) {
  std::ifstream in(std::filesystem::path(TUTTI_SOURCE_DIR) / "src/algorithms" / file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// `word` as the header gives it, without the comment marks.
std::string claim(const std::string& source, const std::string& word) {
  const std::string mark = "//   " + word;
  const auto at = source.find(mark);
  if (at == std::string::npos) return "(none)";
  const auto begin = source.find_first_not_of(' ', at + mark.size());
  return source.substr(begin, source.find('\n', begin) - begin);
}

TEST(Header, EveryFileExistsAndClaimsWhatTheRegistryClaims) {
  for (const Algorithm& algorithm : registry()) {
    SCOPED_TRACE(algorithm.full_name());
    const std::string source = source_of(algorithm.file);
    ASSERT_FALSE(source.empty()) << algorithm.file;
    EXPECT_EQ(claim(source, "valid"), algorithm.valid_text());
    EXPECT_EQ(claim(source, "rounds"), algorithm.rounds.text);
    EXPECT_EQ(claim(source, "cost"), algorithm.cost.text);
    EXPECT_EQ(claim(source, "scratch"), algorithm.scratch.text);
    EXPECT_EQ(claim(source, "source"), algorithm.source);
  }
}

TEST(Header, EveryAlgorithmFileHasARow) {
  std::set<std::string> files;
  for (const Algorithm& algorithm : registry()) files.insert(std::string(algorithm.file));
  const auto root = std::filesystem::path(TUTTI_SOURCE_DIR) / "src/algorithms";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string file = std::filesystem::relative(entry.path(), root).generic_string();
    if (entry.path().extension() != ".cpp" || file.find('/') == std::string::npos) continue;
    if (file.rfind("pattern/", 0) == 0) continue;
    EXPECT_TRUE(files.contains(file)) << file << " has no row in the registry";
  }
}

TEST(Registry, HoldsTheWholeCatalogue) {
  std::set<std::string> names;
  for (const Algorithm& algorithm : registry())
    EXPECT_TRUE(names.insert(algorithm.full_name()).second) << algorithm.full_name() << " twice";
  for (const char* name : catalogue) EXPECT_TRUE(names.contains(name)) << name;
  for (const char* name : node_aware_catalogue) {
    ASSERT_TRUE(names.contains(name)) << name;
    EXPECT_TRUE(parse_request(name).algorithm->node_aware) << name;
  }
}

}  // namespace
}  // namespace tutti::core
