#include "select/figure_15.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/profile.hpp"

namespace tutti {
namespace {

const std::string source_dir = TUTTI_SOURCE_DIR;

Figure15 figure() { return figure_15(read_profile(source_dir + "/profiles/cray-t3e.json").rates); }

TEST(Figure15, PowersOfTwoAreTies) {
  const Figure15 all = figure();
  ASSERT_EQ(all.ours.size(), 139u);
  for (const Winner& winner : all.ours) {
    const bool power = (winner.p & (winner.p - 1)) == 0;
    const std::size_t winners = winner.p == 2 ? 3 : power ? 2 : 1;
    EXPECT_EQ(winner.algorithms.size(), winners) << winner.p;
  }
}

TEST(Figure15, FewDifferFromThePaper) { EXPECT_LE(figure().differences.size(), 5u); }

TEST(Figure15, TheDocumentShowsWhatComesOut) {
  std::ifstream file(source_dir + "/docs/figure-15.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const std::string table = figure().markdown();
  EXPECT_NE(document.find(table), std::string::npos)
      << "docs/figure-15.md is stale; its tables should be:\n"
      << table;
}

}  // namespace
}  // namespace tutti
