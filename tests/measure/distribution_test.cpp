// The distributions of Träff et al. 2008, section 3.

#include "measure/distribution.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace tutti::core {
namespace {

using Sizes = std::vector<std::size_t>;

std::size_t sum(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

constexpr std::size_t totals[] = {0, 1, 2, 7, 8, 100, 1000, 4096, 1000003, std::size_t{1} << 40};

TEST(Distribution, NamesAreReadBack) {
  for (const Distribution each : all_distributions)
    EXPECT_EQ(parse_distribution(name_of(each)), each) << name_of(each);
  try {
    parse_distribution("half_ful");
    FAIL() << "it was read";
  } catch (const std::invalid_argument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("'half_ful'"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean 'half_full'?"), std::string::npos) << text;
  }
}

TEST(Distribution, BlocksAddUpToTheTotal) {
  for (const Distribution each : all_distributions)
    for (int p = 1; p <= 130; ++p)
      for (const std::size_t total : totals) {
        const Sizes sizes = distribute(each, p, total);
        ASSERT_EQ(sizes.size(), static_cast<std::size_t>(p)) << name_of(each);
        EXPECT_EQ(sum(sizes), total) << name_of(each) << ", p = " << p;
      }
}

TEST(Distribution, BlocksAreEmptyWhereThePaperHasNone) {
  for (int p = 2; p <= 130; ++p)
    for (const std::size_t total : totals) {
      const Sizes broadcast = distribute(Distribution::broadcast, p, total);
      EXPECT_EQ(broadcast[0], total) << p;
      const Sizes half_full = distribute(Distribution::half_full, p, total);
      for (int i = 1; i < p; i += 2) EXPECT_EQ(half_full[i], 0u) << p;
      EXPECT_EQ(distribute(Distribution::decreasing, p, total)[p - 1], 0u) << p;
    }
}

// Each block as in the paper, where m is the total, off by the rounding of both its ends.
TEST(Distribution, ShapesAreThoseOfThePaper) {
  for (const int p : {2, 3, 4, 7, 8, 15, 16, 31, 64})
    for (const double m : {1000.0, 1e6}) {
      const auto near = [&](Distribution which, int i, double share) {
        const Sizes sizes = distribute(which, p, static_cast<std::size_t>(m));
        EXPECT_NEAR(static_cast<double>(sizes[i]), m * share, 1.0)
            << name_of(which) << ", p = " << p << ", block " << i;
      };
      const double parts = std::bit_width(static_cast<unsigned>(p));
      for (int i = 0; i < p; ++i) {
        near(Distribution::regular, i, 1.0 / p);
        near(Distribution::spike, i, i == 0 ? 0.5 : 0.5 / (p - 1));
        if (p % 2 == 0) near(Distribution::half_full, i, i % 2 == 0 ? 2.0 / p : 0);
        near(Distribution::decreasing, i, 2.0 * (p - 1 - i) / (p * (p - 1.0)));
        // Where p + 1 is a power of two the last part is whole: 1, 2, 4, ... ranks share alike.
        if (std::has_single_bit(static_cast<unsigned>(p + 1)))
          near(Distribution::geometric, i,
               1 / parts / std::bit_floor(static_cast<unsigned>(i + 1)));
      }
    }
}

TEST(Distribution, OneRankHasAll) {
  for (const Distribution each : all_distributions)
    EXPECT_EQ(distribute(each, 1, 100), Sizes{100}) << name_of(each);
}

TEST(Distribution, OfCollectivesThatListTheirBlocks) {
  for (int k = 0; k < collective_count; ++k) {
    const auto collective = static_cast<Collective>(k);
    for (const Distribution each : all_distributions)
      for (const int p : {1, 2, 5, 8}) {
        const Problem problem = distributed(collective, each, p, 4000);
        EXPECT_NO_THROW(problem.validate()) << problem.describe();
        if (is_alltoall(collective)) continue;
        const Sizes listed = is_irregular(collective) ? distribute(each, p, 4000) : Sizes{};
        EXPECT_EQ(problem.counts, listed) << problem.describe();
      }
  }
}

TEST(Distribution, EveryRankSendsAndReceivesTheTotalInAlltoallv) {
  for (const Collective collective : {Collective::alltoallv, Collective::alltoallw})
    for (const Distribution each : all_distributions)
      for (int p = 1; p <= 17; ++p)
        for (const std::size_t total : {0u, 1u, 7u, 1000u}) {
          const Problem problem = distributed(collective, each, p, total);
          const Sizes sizes = distribute(each, p, total);
          for (int i = 0; i < p; ++i) {
            std::size_t row = 0, column = 0;
            for (int j = 0; j < p; ++j) {
              row += problem.block(i, j);
              column += problem.block(j, i);
            }
            EXPECT_EQ(row, total) << problem.describe();
            EXPECT_EQ(column, total) << problem.describe();
            EXPECT_EQ(problem.block(i, (i + 1) % p), sizes[0]) << problem.describe();
          }
        }
}

}  // namespace
}  // namespace tutti::core
