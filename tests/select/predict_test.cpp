#include "select/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/profile.hpp"

namespace tutti::core {
namespace {

const Rates& usual_rates() { return default_profile().rates; }

TEST(Predict, NamesEveryAlgorithmFastestFirst) {
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    const std::vector<Prediction> all = predict(collective, 6, 6000, usual_rates());
    std::size_t flat = 0;  // nothing is known of the nodes, so that compositions are left out
    for (const Algorithm* each : algorithms_of(collective)) flat += !each->node_aware;
    EXPECT_EQ(all.size(), flat);
    for (std::size_t k = 0; k + 1 < all.size(); ++k) {
      EXPECT_TRUE(all[k].valid() || !all[k + 1].valid()) << all[k].algorithm->full_name();
      if (all[k + 1].valid()) {
        EXPECT_LE(all[k].seconds, all[k + 1].seconds * (1 + 1e-9));
      }
    }
  }
}

TEST(Predict, SaysWhyAnAlgorithmCannotRun) {
  const auto find = [](const std::vector<Prediction>& all, std::string_view name) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const Prediction& each) { return each.algorithm->name == name; });
  };
  const auto alltoall = predict(Collective::alltoall, 6, 6000, usual_rates());
  EXPECT_FALSE(find(alltoall, "pairwise_xor").unmet.empty());
  EXPECT_TRUE(find(predict(Collective::alltoall, 8, 6000, usual_rates()), "pairwise_xor").valid());
  const auto allreduce = predict(Collective::allreduce, 8, 6000, usual_rates(), false);
  EXPECT_FALSE(find(allreduce, "ring").unmet.empty());
  EXPECT_TRUE(find(allreduce, "rabenseifner").valid());
}

TEST(Predict, ShortVectorsWantFewMessagesLongOnesLittleData) {
  EXPECT_EQ(predict(Collective::allreduce, 64, 8, usual_rates()).front().algorithm->name,
            "recursive_doubling");
  const auto fastest =
      predict(Collective::bcast, 64, 64 << 20, usual_rates()).front().algorithm->name;
  EXPECT_TRUE(fastest == "circulant" || fastest == "chain") << fastest;
}

TEST(Predict, TakesAMillionRanks) {
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    for (const Prediction& each : predict(collective, 1'000'003, 1 << 20, usual_rates()))
      if (each.valid()) {
        EXPECT_GT(each.seconds, 0) << each.algorithm->full_name();
      }
  }
}

TEST(Predict, RefusesWhatMakesNoSense) {
  EXPECT_THROW(predict(Collective::bcast, 0, 8, usual_rates()), std::invalid_argument);
  EXPECT_THROW(predict(Collective::bcast, 4, 8, usual_rates(), true, 4), std::invalid_argument);
}

TEST(DecisionMap, HoldsTheWinners) {
  const std::vector<int> p{2, 3, 16, 100};
  const std::vector<std::size_t> sizes{8, 1024, 1 << 20};
  const DecisionMap map = decision_map(Collective::allreduce, p, sizes, usual_rates());
  ASSERT_EQ(map.cells.size(), 12u);
  std::set<const Algorithm*> seen;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const Prediction best = predict(Collective::allreduce, p[i], sizes[j], usual_rates()).front();
      EXPECT_EQ(map.at(i, j).algorithm, best.algorithm);
      EXPECT_EQ(map.at(i, j).seconds, best.seconds);
      seen.insert(best.algorithm);
    }
  const auto winners = map.winners();
  EXPECT_EQ(std::set<const Algorithm*>(winners.begin(), winners.end()), seen);
}

}  // namespace
}  // namespace tutti::core
