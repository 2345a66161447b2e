#include "figure_15.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/profile.hpp"

namespace tutti::core {
namespace {

const std::string source_dir = TUTTI_SOURCE_DIR;

Rates t3e() { return read_profile(source_dir + "/profiles/cray-t3e.json").rates; }

const Figure15& figure() {
  static const Figure15 all = figure_15(t3e());
  return all;
}

TEST(Figure15, PowersOfTwoAreTies) {
  const Figure15& all = figure();
  ASSERT_EQ(all.ours.size(), 139u);
  for (const Winner& winner : all.ours) {
    const bool power = (winner.p & (winner.p - 1)) == 0;
    const std::size_t winners = winner.p == 2 ? 3 : power ? 2 : 1;
    EXPECT_EQ(winner.algorithms.size(), winners) << winner.p;
  }
}

TEST(Figure15, FewDifferFromThePaper) {
  const int differ = static_cast<int>(figure().differences.size());
  fmt::print("figure 15: {} of {} p have the paper's winner\n", figure().compared - differ,
             figure().compared);
  EXPECT_LE(differ, 5);
}

TEST(Figure15, TheDocumentShowsWhatComesOut) {
  std::ifstream file(source_dir + "/docs/figure-15.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const std::size_t differ = figure().differences.size();
  const std::string count =
      fmt::format("Of the other {} values of p\n{} have the paper's winner and {} have another.",
                  figure().compared, figure().compared - differ, differ);
  for (const std::string& part : {figure().markdown(), count, figure_15_under_other_rates(t3e())})
    EXPECT_NE(document.find(part), std::string::npos)
        << "docs/figure-15.md is stale; it should hold:\n"
        << part;
}

}  // namespace
}  // namespace tutti::core
