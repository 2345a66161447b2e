// The catalogue names each algorithm's file once, and each file stands in it.

#include "catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "request/request.hpp"

namespace tutti::core {
namespace {

const std::vector<std::string> listed{
#define TUTTI_ALGORITHM(collective, name) #collective "/" #name ".cpp",
#include "algorithms/catalogue.def"
};

const std::filesystem::path root = std::filesystem::path(TUTTI_SOURCE_DIR) / "src/algorithms";

/// The files in the folders of collectives.
std::vector<std::string> found() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string file = std::filesystem::relative(entry.path(), root).generic_string();
    if (entry.path().extension() == ".cpp" &&
        collective_named(file.substr(0, file.find('/'))).has_value())
      files.push_back(file);
  }
  return files;
}

TEST(Catalogue, HasALineForEachFileAndAFileForEachLine) {
  std::vector<std::string> lines = listed, files = found();
  std::sort(lines.begin(), lines.end());
  std::sort(files.begin(), files.end());
  EXPECT_EQ(lines, files);
}

TEST(Catalogue, EachFileGivesRows) {
  std::set<std::string> files;
  for (const Algorithm& algorithm : registry()) files.insert(std::string(algorithm.file));
  EXPECT_EQ(files, std::set<std::string>(listed.begin(), listed.end()));
}

TEST(Catalogue, RowsAreNamedAsTheirFiles) {
  for (const Algorithm& algorithm : registry()) {
    const std::string file = std::filesystem::path(algorithm.file).stem();
    EXPECT_TRUE(algorithm.name == file || (algorithm.name == "multi_leader" && file == "leader"))
        << algorithm.full_name() << " in " << algorithm.file;
  }
}

TEST(Catalogue, HeadsDoNotRepeatWhatRowsSay) {
  for (const std::string& file : listed) {
    std::ifstream in(root / file);
    std::stringstream text;
    text << in.rdbuf();
    ASSERT_TRUE(text.str().starts_with("// ")) << file << " does not say what it is";
    for (const char* word : {"valid", "rounds", "cost", "scratch", "source"})
      EXPECT_EQ(text.str().find(std::string("//   ") + word + " "), std::string::npos)
          << file << ": " << word;
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
