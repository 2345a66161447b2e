// The pattern, not only the data: whoever is called a ring talks to two neighbours only, and so on.

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "algorithms/pattern/arithmetic.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr Rates shape_rates{.alpha = 4, .beta = 1, .gamma = 1, .alpha_uni = 4, .beta_uni = 1};

std::vector<Schedule> schedules(const std::string& name, int p, std::size_t total, Rank root = 0) {
  const Algorithm& algorithm = *parse_request(name).algorithm;
  Problem problem = Problem::even(algorithm.collective, p, total);
  problem.root = root;
  return schedules_of(problem, algorithm, algorithm.resolve(problem, shape_rates));
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

// Every message stays on a line of the mesh: along one dimension.
TEST(Shape, HybridsTalkAlongTheLinesOfTheirMesh) {
  int families = 0;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.name != "hybrid") continue;
    ++families;
    for (const int longs : {0, 1, 2, 3}) {
      const bool has_long = algorithm.parameters.size() > 1;
      const auto [found, given] = parse_request(algorithm.full_name() + ":shape=3x2x4" +
                                                (has_long ? ",long=" + std::to_string(longs) : ""));
      Problem problem = Problem::even(algorithm.collective, 24, 240);
      problem.root = has_root(algorithm.collective) ? 17 : 0;
      const auto all =
          schedules_of(problem, algorithm, algorithm.resolve(problem, shape_rates, given));
      for (Rank r = 0; r < 24; ++r)
        for (const Action& action : all[r].actions) {
          if (!action.is_message()) continue;
          const int differ = (r / 8 != action.peer / 8) + (r / 4 % 2 != action.peer / 4 % 2) +
                             (r % 4 != action.peer % 4);
          EXPECT_EQ(differ, 1) << algorithm.full_name() << ": " << r << ", " << action.peer;
        }
    }
  }
  EXPECT_EQ(families, 9);
}

// With one dimension they are what the other algorithms are.
TEST(Shape, AHybridOfOneDimensionIsATreeOrARing) {
  const std::pair<const char*, const char*> same[] = {
      {"bcast/hybrid:shape=12,long=0", "bcast/binomial"},
      {"bcast/hybrid:shape=12,long=1", "bcast/scatter_allgather_ring"},
      {"reduce/hybrid:shape=12,long=0", "reduce/binomial"},
      {"reduce/hybrid:shape=12,long=1", "reduce/ring_gather"},
      {"allreduce/hybrid:shape=12,long=0", "allreduce/reduce_bcast"},
      {"allreduce/hybrid:shape=12,long=1", "allreduce/ring"},
      {"allgather/hybrid:shape=12,long=0", "allgather/gather_bcast"},
      {"allgather/hybrid:shape=12,long=1", "allgather/ring"},
      {"allgather/hybrid:shape=1x12,long=9", "allgather/ring"},
  };
  for (const auto& [hybrid, plain] : same) {
    const auto [algorithm, given] = parse_request(hybrid);
    for (const Rank root : {0, 7}) {
      Problem problem = Problem::even(algorithm->collective, 12, 130);
      problem.root = has_root(algorithm->collective) ? root : 0;
      EXPECT_EQ(schedules_of(problem, *algorithm, given),
                schedules_of(problem, *parse_request(plain).algorithm, {}))
          << hybrid;
    }
  }
}

/// Who sends to whom from one node to another.
std::set<std::pair<Rank, Rank>> across(const std::string& request, const Topology& topology,
                                       std::size_t total, Rank root = 0,
                                       std::vector<std::size_t> counts = {}) {
  const auto [algorithm, given] = parse_request(request);
  Problem problem = Problem::even(algorithm->collective, topology.p(), total);
  problem.root = root;
  problem.topology = std::make_shared<const Topology>(topology);
  if (!counts.empty()) problem.counts = counts;
  const auto all =
      schedules_of(problem, *algorithm, algorithm->resolve(problem, shape_rates, given));
  std::set<std::pair<Rank, Rank>> edges;
  for (Rank r = 0; r < problem.p; ++r)
    for (const Action& action : all[r].actions)
      if (action.sends() && topology.node_of(r) != topology.node_of(action.peer))
        edges.emplace(r, action.peer);
  return edges;
}

const std::vector<Topology>& some_topologies() {
  static const std::vector<Topology> all{*parse_topology("3x4"), *parse_topology("4x3:cyclic"),
                                         Topology({0, 0, 1, 1, 1, 2}),
                                         Topology({0, 1, 2, 0, 0, 1, 0, 2, 1})};
  return all;
}

std::vector<std::string> compositions(std::string_view name) {
  std::vector<std::string> all;
  for (const Algorithm& algorithm : registry())
    if (algorithm.name == name) all.push_back(algorithm.full_name());
  return all;
}

TEST(Shape, OnlyLeadersTalkAcrossNodes) {
  ASSERT_GE(compositions("leader").size(), 12u);
  for (const std::string& name : compositions("leader"))
    for (const Topology& topology : some_topologies())
      for (const Rank root : {0, 4}) {
        const Collective collective = parse_request(name).algorithm->collective;
        if (root != 0 && !has_root(collective)) continue;
        if (!parse_request(name).algorithm->valid.unmet(6, true, &topology).empty()) continue;
        std::set<Rank> leaders;
        for (int i = 0; i < topology.nodes(); ++i)
          leaders.insert(has_root(collective) && i == topology.node_of(root) ? root
                         : collective == Collective::scan || collective == Collective::exscan
                             ? topology.ranks_of(i).back()
                             : topology.ranks_of(i).front());
        const auto edges = across(name, topology, 24 * topology.p(), root);
        EXPECT_FALSE(edges.empty()) << name;
        for (const auto& [from, to] : edges)
          EXPECT_TRUE(leaders.contains(from) && leaders.contains(to))
              << name << ", " << topology.describe() << ": " << from << " to " << to;
      }
}

TEST(Shape, AsManyLeadersAsAskedForTalkAcrossNodes) {
  const Topology topology = *parse_topology("3x4");
  for (const auto& [leaders, expected] : {std::pair{"1", std::set<Rank>{0, 4, 8}},
                                          std::pair{"2", std::set<Rank>{0, 2, 4, 6, 8, 10}}}) {
    std::set<Rank> talking;
    for (const auto& [from, to] : across(
             std::string("alltoall/multi_leader:inner=pairwise,leaders=") + leaders, topology, 144))
      talking.insert({from, to});
    EXPECT_EQ(talking, expected) << leaders;
  }
}

TEST(Shape, LanesStayAmongTheRanksOfTheirPlace) {
  ASSERT_GE(compositions("full_lane").size(), 14u);
  for (const char* each : {"full_lane", "send_aggregation", "receive_distribution"})
    for (const std::string& name : compositions(each))
      for (const Topology& topology : some_topologies())
        for (const Rank root : {0, 4}) {
          const Algorithm& algorithm = *parse_request(name).algorithm;
          if (root != 0 && !has_root(algorithm.collective)) continue;
          if (!algorithm.valid.unmet(6, true, &topology).empty()) continue;
          std::set<int> lanes;
          for (const auto& [from, to] : across(name, topology, 24 * topology.p(), root)) {
            EXPECT_EQ(topology.place_of(from), topology.place_of(to))
                << name << ", " << topology.describe() << ": " << from << " to " << to;
            lanes.insert(topology.place_of(from));
          }
          // All of them at work.
          EXPECT_EQ(static_cast<int>(lanes.size()), topology.smallest())
              << name << ", " << topology.describe();
        }
}

// What a rank sends does not grow with the ranks of its node, as a leader's does: its vector in
// parts, and the parts of their results.
TEST(Shape, AScanInLanesMovesAVectorInAndOutOfEachRankOfANode) {
  for (const char* name : {"scan/full_lane:inner=linear", "exscan/full_lane:inner=linear"})
    for (const int s : {2, 4, 6}) {
      const Topology topology = *parse_topology("3x" + std::to_string(s));
      const auto [found, given] = parse_request(name);
      const Algorithm& algorithm = *found;
      Problem problem = Problem::even(algorithm.collective, topology.p(), 60);
      problem.topology = std::make_shared<const Topology>(topology);
      const auto all =
          schedules_of(problem, algorithm, algorithm.resolve(problem, shape_rates, given));
      for (Rank r = 0; r < problem.p; ++r) {
        std::size_t inside = 0;
        for (const Action& action : all[r].actions) {
          if (!action.sends()) continue;
          if (topology.node_of(r) == topology.node_of(action.peer))
            inside += all[r].count_of(action);
          else
            EXPECT_EQ(all[r].count_of(action), 60u / s) << name << ", " << s << ", rank " << r;
        }
        EXPECT_LE(inside, 2u * 60 * (s - 1) / s) << name << ", " << s << ", rank " << r;
      }
    }
}

// The counts of scatterv and gatherv stay in the root's node.
TEST(Shape, LanesTellNoCountsToOtherNodes) {
  const Topology topology({0, 0, 1, 1, 1, 2, 2});
  for (const char* name : {"scatterv/full_lane", "gatherv/full_lane"}) {
    const Algorithm& algorithm = *parse_request(name).algorithm;
    Problem problem = Problem::even(algorithm.collective, topology.p(), 70);
    problem.root = 1;
    problem.topology = std::make_shared<const Topology>(topology);
    const auto all = schedules_of(problem, algorithm, algorithm.resolve(problem, shape_rates));
    std::size_t bytes = 0;
    for (Rank r = 0; r < problem.p; ++r)
      for (const Action& action : all[r].actions)
        if (action.sends() && topology.node_of(r) != topology.node_of(action.peer))
          bytes += all[r].count_of(action);
    EXPECT_EQ(bytes, 50u) << name;
  }
}

TEST(Shape, RingsHaveOneWayIntoAndOutOfEachNode) {
  for (const char* name :
       {"allgather/ring", "allgatherv/ring", "allreduce/ring", "reduce_scatter/ring",
        "reduce_scatter_block/ring", "allgatherv/pipelined_ring"})
    for (const Topology& topology : some_topologies()) {
      const auto edges = across(name, topology, 24 * topology.p());
      std::set<int> out, in;
      for (const auto& [from, to] : edges)
        out.insert(topology.node_of(from)), in.insert(topology.node_of(to));
      EXPECT_EQ(static_cast<int>(edges.size()), topology.nodes()) << name;
      EXPECT_EQ(static_cast<int>(out.size()), topology.nodes()) << name;
      EXPECT_EQ(static_cast<int>(in.size()), topology.nodes()) << name;
    }
}

// "Node internally processes are ordered such that the last processes have m_i > 0."
TEST(Shape, TheLastRankOfANodeHasDataInAPipelinedRing) {
  std::mt19937 random(2008);
  for (const Topology& topology : some_topologies())
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<std::size_t> counts;
      for (Rank r = 0; r < topology.p(); ++r) counts.push_back(random() % 3 == 0 ? 5 : 0);
      if (repeat == 0) counts.assign(counts.size(), 0), counts[1] = 5;
      std::vector<bool> has_data(topology.nodes(), false);
      for (Rank r = 0; r < topology.p(); ++r)
        if (counts[r] > 0) has_data[topology.node_of(r)] = true;
      const auto edges = across("allgatherv/pipelined_ring:segment=2", topology, 0, 0, counts);
      for (const auto& [from, to] : edges)
        EXPECT_EQ(counts[from] > 0, has_data[topology.node_of(from)]) << topology.describe();
      EXPECT_LE(static_cast<int>(edges.size()), topology.nodes());
    }
}

TEST(Shape, AComposedRingIsARingOfTheLeaders) {
  const auto edges = across("allreduce/leader:inner=ring", *parse_topology("4x2"), 64);
  EXPECT_EQ(edges, (std::set<std::pair<Rank, Rank>>{{0, 2}, {2, 4}, {4, 6}, {6, 0}}));
  // Leaders that share a node are neighbours.
  EXPECT_EQ(across("allreduce/multi_leader:inner=ring,leaders=2", *parse_topology("2x4:cyclic"), 64)
                .size(),
            2u);
}

}  // namespace
}  // namespace tutti::core
