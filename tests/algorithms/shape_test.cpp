// The pattern, not only the data: whoever is called a ring talks to two neighbours only, and so on.

#include <gtest/gtest.h>

#include <set>

#include "algorithms/pattern/arithmetic.hpp"
#include "verify/verify.hpp"

namespace tutti {
namespace {

constexpr Rates rates{.alpha = 4, .beta = 1, .gamma = 1, .alpha_uni = 4, .beta_uni = 1};

std::vector<Schedule> schedules(const std::string& name, int p, std::size_t total, Rank root = 0) {
  const Algorithm& algorithm = *parse_request(name).algorithm;
  Problem problem = Problem::even(algorithm.collective, p, total);
  problem.root = root;
  return schedules_of(problem, algorithm, algorithm.resolve(problem, rates));
}

/// Peers, as distances, that a rank sends to.
std::set<int> distances(const std::vector<Schedule>& all) {
  const int p = static_cast<int>(all.size());
  std::set<int> result;
  for (Rank r = 0; r < p; ++r)
    for (const Action& action : all[r].actions)
      if (action.sends()) result.insert(wrap(action.peer - r, p));
  return result;
}

std::size_t sent(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Action& action : schedule.actions)
    if (action.sends()) count += schedule.count_of(action);
  return count;
}

TEST(Shape, RingsTalkToTheirTwoNeighboursOnly) {
  for (const char* name : {"allgather/ring", "allgatherv/ring", "allreduce/ring",
                           "reduce_scatter/ring", "allgatherv/pipelined_ring"})
    for (const int p : {3, 4, 7, 16})
      EXPECT_EQ(distances(schedules(name, p, 8 * p)), std::set<int>{1}) << name << ", p = " << p;
}

TEST(Shape, ChainsPassToTheNextOnly) {
  EXPECT_EQ(distances(schedules("bcast/chain", 9, 90)), std::set<int>{1});
  EXPECT_EQ(distances(schedules("reduce/chain", 9, 90)), std::set<int>{8});
}

TEST(Shape, RecursiveDoublingAndHalvingExchangeOverPowersOfTwo) {
  for (const char* name : {"allgather/recursive_doubling", "allreduce/recursive_doubling",
                           "allreduce/rabenseifner", "reduce_scatter/recursive_halving",
                           "reduce_scatter/recursive_doubling", "scan/recursive_doubling"})
    for (const auto& all : {schedules(name, 16, 64)})
      for (Rank r = 0; r < 16; ++r)
        for (const Action& action : all[r].actions)
          if (action.is_message()) {
            EXPECT_TRUE(is_power_of_two(action.peer ^ r))
                << name << ": " << r << ", " << action.peer;
          }
}

TEST(Shape, RecursiveDoublingBeginsNearAndHalvingBeginsFar) {
  const auto first_peer = [](const std::string& name) {
    const auto all = schedules(name, 16, 64);
    for (const Action& action : all[0].actions)
      if (action.is_message()) return action.peer;
    return -1;
  };
  EXPECT_EQ(first_peer("allgather/recursive_doubling"), 1);
  EXPECT_EQ(first_peer("allreduce/rabenseifner"), 1);
  EXPECT_EQ(first_peer("reduce_scatter/recursive_halving"), 8);
}

TEST(Shape, BruckSendsDownAndDisseminationSendsUp) {
  EXPECT_EQ(distances(schedules("allgather/bruck", 6, 6)), (std::set<int>{5, 4, 2}));
  EXPECT_EQ(distances(schedules("alltoall/bruck", 6, 36)), (std::set<int>{1, 2, 4}));
  EXPECT_EQ(distances(schedules("barrier/dissemination", 6, 0)), (std::set<int>{1, 2, 4}));
}

TEST(Shape, CirculantsUseTheSkipsAndMoveTheLeast) {
  for (const int p : {5, 6, 13, 22}) {
    std::set<int> skips;
    for (int s = p; s > 1;) skips.insert(s = (s + 1) / 2);
    for (const char* name : {"reduce_scatter/circulant", "bcast/circulant"})
      EXPECT_EQ(distances(schedules(name, p, 40 * p)), skips) << name << ", p = " << p;
    for (const Schedule& schedule : schedules("reduce_scatter/circulant", p, 3 * p))
      EXPECT_EQ(sent(schedule), 3u * (p - 1));
  }
}

TEST(Shape, PairwiseMeetsEachPeerOnce) {
  for (const char* name : {"alltoall/pairwise", "alltoall/linear", "reduce_scatter/pairwise"}) {
    const auto all = schedules(name, 7, 49);
    for (Rank r = 0; r < 7; ++r) {
      std::multiset<int> peers;
      for (const Action& action : all[r].actions)
        if (action.sends()) peers.insert(action.peer);
      EXPECT_EQ(peers.size(), 6u) << name;
      EXPECT_EQ(std::set<int>(peers.begin(), peers.end()).size(), 6u) << name;
    }
  }
}

TEST(Shape, TreesReceiveOnceAndSendAtMostLogarithmicallyOften) {
  for (const Rank root : {0, 5, 12})
    for (const char* name : {"bcast/binomial", "scatter/binomial"}) {
      const auto all = schedules(name, 13, 26, root);
      for (Rank r = 0; r < 13; ++r) {
        int sends = 0, recvs = 0;
        for (const Action& action : all[r].actions)
          sends += action.sends(), recvs += action.receives();
        EXPECT_EQ(recvs, r == root ? 0 : 1);
        EXPECT_LE(sends, 4);
      }
    }
}

TEST(Shape, ABinomialScatterSendsOneSlicePerMessageFromTheRoot) {
  for (const Rank root : {0, 3, 7}) {
    const auto all = schedules("scatter/binomial", 8, 8, root);
    for (const Action& action : all[root].actions)
      if (action.sends()) {
        EXPECT_EQ(action.last - action.first, 1u);
      }
  }
}

TEST(Shape, ALeafOfScattervNeedsNoMessageForItsCount) {
  const auto all = schedules("scatterv/binomial", 8, 16);
  int recvs = 0;
  for (const Action& action : all[7].actions) recvs += action.receives();
  EXPECT_EQ(recvs, 1);
}

}  // namespace
}  // namespace tutti
