#include "model/bounds.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

constexpr Rates rates{.alpha = 1000, .beta = 10, .gamma = 1, .alpha_uni = 900, .beta_uni = 8};

TEST(Bounds, NothingTakesNoTime) {
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    EXPECT_EQ(lower_bound(collective, 1, 100, rates), 0) << name_of(collective);
    EXPECT_EQ(lower_bound(collective, 8, 0, rates), collective == Collective::barrier ? 2700 : 0)
        << name_of(collective);
  }
}

TEST(Bounds, KnownValues) {
  EXPECT_DOUBLE_EQ(lower_bound(Collective::barrier, 9, 0, rates), 4 * 900);
  EXPECT_DOUBLE_EQ(lower_bound(Collective::bcast, 5, 100, rates), 3 * 900 + 800);
  EXPECT_DOUBLE_EQ(lower_bound(Collective::scatter, 5, 100, rates), 3 * 900 + 640);
  EXPECT_DOUBLE_EQ(lower_bound(Collective::alltoall, 5, 100, rates), 3 * 900 + 640);
  // Long vectors: the busiest rank's transfers and combinations decide.
  EXPECT_DOUBLE_EQ(lower_bound(Collective::allreduce, 5, 1e6, rates), 900 + 0.8e6 * (2 * 8 + 1));
  EXPECT_DOUBLE_EQ(lower_bound(Collective::exscan, 5, 1e6, rates), 900 + 8e6 + 0.6e6);
}

TEST(Bounds, HoldWhicheverDirectionIsCheaper) {
  Rates other = rates;
  std::swap(other.alpha, other.alpha_uni);
  std::swap(other.beta, other.beta_uni);
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    EXPECT_EQ(lower_bound(collective, 6, 100, rates), lower_bound(collective, 6, 100, other));
  }
}

}  // namespace
}  // namespace tutti::core
