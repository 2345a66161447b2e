// Where ranks share nodes: the reasons of Kumar, Mamidala, Panda 2008.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/profile.hpp"
#include "select/choose.hpp"

namespace tutti::core {
namespace {

Problem on_nodes(Collective collective, std::string_view topology, std::size_t n) {
  auto known = parse_topology(topology);
  Problem problem = even_problem(collective, known->p(), n);
  problem.topology = known;
  return problem;
}

double seconds_of(const std::vector<Prediction>& all, std::string_view name) {
  for (const Prediction& each : all)
    if (each.algorithm->name == name) return each.seconds;
  ADD_FAILURE() << name;
  return 0;
}

TEST(Levels, OneRankOnEachNodeIsAsWithoutATopology) {
  const Machine machine = default_profile().machine_for();
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    const auto flat = predict(collective, 6, 6000, machine.rates);
    const auto nodes = predict(on_nodes(collective, "6x1", 6000), machine);
    ASSERT_EQ(flat.size(), nodes.size());
    for (std::size_t k = 0; k < flat.size(); ++k) {
      EXPECT_EQ(flat[k].algorithm, nodes[k].algorithm);
      EXPECT_EQ(flat[k].parameters, nodes[k].parameters);
      EXPECT_EQ(flat[k].seconds, nodes[k].seconds);
    }
  }
}

TEST(Levels, CompositionsStandInLineWhereThereAreNodes) {
  const Machine machine = default_profile().machine_for();
  for (int i = 0; i < collective_count; ++i) {
    const auto collective = static_cast<Collective>(i);
    std::size_t flat = 0;
    for (const Algorithm* each : algorithms_of(collective)) flat += !each->node_aware;
    EXPECT_EQ(predict(on_nodes(collective, "3x2", 6000), machine).size(),
              algorithms_of(collective).size());
    const auto one = predict(on_nodes(collective, "1x6", 6000), machine);
    EXPECT_EQ(one.size(), flat);  // of no use there
    for (std::size_t k = 0; k + 1 < one.size(); ++k)
      if (one[k + 1].valid()) {
        EXPECT_LE(one[k].seconds, one[k + 1].seconds * (1 + 1e-9));
      }
  }
}

TEST(Levels, WithoutDataNothingTakesTime) {
  const auto all = predict(on_nodes(Collective::bcast, "2x4", 0), default_profile().machine_for());
  for (const Prediction& each : all) EXPECT_EQ(each.seconds, 0) << each.algorithm->name;
}

// Everything is copied, so that the fewest copies win; a context switch costs more than a message.
TEST(Levels, WithinANode) {
  Machine machine = default_profile().machine_for();
  const auto best = [&](Collective collective, std::size_t n) {
    return predict(on_nodes(collective, "1x8", n), machine).front().algorithm->name;
  };
  EXPECT_EQ(best(Collective::alltoall, 8), "bruck");
  EXPECT_EQ(best(Collective::alltoall, 1 << 20), "linear");
  machine.node.cores = 2;
  EXPECT_EQ(best(Collective::bcast, 8), "linear");
  EXPECT_EQ(best(Collective::allreduce, 8), "linear");
  EXPECT_EQ(best(Collective::alltoall, 8), "linear");
}

// The network of the paper: 2 us and about a GB/s, copies at 3 GB/s. 512 bytes from each rank to
// each on 64 nodes with 8 cores.
Machine paper(std::vector<std::pair<int, double>> curve) {
  return {{.alpha = 2e-6, .beta = 1e-9, .gamma = 0.5e-9, .alpha_uni = 2e-6, .beta_uni = 1e-9},
          {.latency = 0.5e-6, .message = 0.3e-6, .byte = 0.3e-9, .switching = 5e-6, .cores = 8},
          {std::move(curve)}};
}
std::vector<Prediction> alltoall_64x8(const Machine& machine, std::size_t block) {
  return predict(on_nodes(Collective::alltoall, "64x8", 512 * block), machine);
}
double best_flat(const std::vector<Prediction>& all) {
  for (const Prediction& each : all)
    if (!each.algorithm->node_aware) return each.seconds;
  return 0;
}

TEST(Levels, AnInterfaceThatGainsFromCoresWantsAllOfThem) {
  const auto all = alltoall_64x8(paper({{1, 1.0}, {2, 1.9}, {4, 3.2}, {8, 4.0}}), 512);
  const double aggregation = seconds_of(all, "send_aggregation");
  EXPECT_LT(aggregation, best_flat(all));
  EXPECT_LT(aggregation, seconds_of(all, "leader"));
  EXPECT_LT(aggregation, seconds_of(all, "multi_leader"));
}

TEST(Levels, AnInterfaceThatLosesWantsALeader) {
  const auto all = alltoall_64x8(paper({{1, 1.0}, {2, 0.8}, {4, 0.6}, {8, 0.4}}), 512);
  EXPECT_EQ(all.front().algorithm->name, "leader");
  // One, or a few, of each node; for a byte to each rank as well.
  const auto small = alltoall_64x8(paper({{1, 1.0}, {2, 0.8}, {4, 0.6}, {8, 0.4}}), 1);
  EXPECT_LT(seconds_of(small, "leader"), best_flat(small));
  EXPECT_LT(seconds_of(small, "leader"), seconds_of(small, "send_aggregation"));
}

// What a program waits for against what takes its time: the same algorithm, or one that takes
// hardly longer.
TEST(Levels, AQuickLookChoosesAsAThoroughOne) {
  const Machine machine = default_profile().machine_for();
  int cells = 0, regrets = 0;
  double logarithms = 0;
  for (const char* topology : {"1x24", "4x8", "9x5", "8x16", "64x2"})
    for (int i = 0; i < collective_count; ++i)
      for (const std::size_t n : {8, 1 << 13, 1 << 20}) {
        const Problem problem = on_nodes(static_cast<Collective>(i), topology, n);
        const Prediction quick = predict(problem, machine, {}, Care::quick).front();
        const double best = predict(problem, machine).front().seconds;
        const double taken = estimate(problem, *quick.algorithm, quick.parameters, machine);
        ++cells;
        regrets += taken > 1.05 * best;
        logarithms += best > 0 ? std::log(taken / best) : 0;
      }
  EXPECT_LE(regrets, cells / 20) << "of " << cells;
  EXPECT_LT(std::exp(logarithms / cells), 1.02);
}

// Cache or memory that is nearer than the rest of the node: leaders there, and leaders of them.
TEST(Levels, DomainsHaveLeadersWhereWaysBetweenThemAreLong) {
  Machine machine = default_profile().machine_for();
  machine.node.cores = 64;
  machine.node.across = 3;
  const auto best = [&](Collective collective, std::string_view topology, std::size_t n) {
    const Prediction found = predict(on_nodes(collective, topology, n), machine).front();
    return format_request(*found.algorithm, found.parameters);
  };
  EXPECT_EQ(best(Collective::gather, "1x8x8", 4096),
            "gather/multi_leader:inner=binomial,leaders=domains");
  EXPECT_EQ(best(Collective::gather, "16x8x8", 1 << 20),
            "gather/multi_leader:inner=leader,inner.inner=binomial,leaders=domains");
  // In a node without domains they are of no use.
  EXPECT_EQ(best(Collective::gather, "1x64", 4096).find("leader"), std::string::npos);
}

// Where a program waits a few of many nodes tell what is worth a look: three levels among it.
TEST(Levels, AFewNodesTellOfThreeLevels) {
  Machine machine = default_profile().machine_for();
  machine.node.across = 3;
  const Problem problem = on_nodes(Collective::gather, "64x8x8", 64 << 20);
  const Prediction found = predict(problem, machine).front();
  EXPECT_EQ(format_request(*found.algorithm, found.parameters),
            "gather/multi_leader:inner=leader,inner.inner=binomial,leaders=domains");
}

// What is right on a few nodes may be wrong on another one.
TEST(Levels, WhatAFewNodesTellIsHeldAgainstAll) {
  std::vector<int> nodes, domains;
  for (int r = 0; r < 40 * 64; ++r) {
    nodes.push_back(r / 64);
    domains.push_back(r / 64 == 30 ? r % 4 : r % 64 / 16);
  }
  Problem problem = on_nodes(Collective::reduce, "40x64", 8);
  problem.topology = std::make_shared<const Topology>(nodes, domains);
  problem.commutative = false;
  Machine machine = default_profile().machine_for();
  machine.node.across = 3;
  for (const Prediction& each : predict(problem, machine))
    if (each.valid()) {
      EXPECT_EQ(each.algorithm->unmet(problem, each.parameters), "") << each.algorithm->name;
    }
}

// What is fastest on a few nodes may have schedules that are too long on all.
TEST(Levels, SomethingIsAlwaysLeft) {
  std::vector<int> nodes;
  for (int r = 0; r < 2060; ++r) nodes.push_back(r / 64);
  Problem problem{.collective = Collective::alltoall, .p = 2060, .count = 64};
  problem.topology = std::make_shared<const Topology>(nodes);
  EXPECT_TRUE(predict(problem, default_profile().machine_for()).front().valid());
}

// Ranks that are dealt out to domains in turn keep no order: what needs it has no leaders there.
TEST(Levels, DomainsOfScatteredRanksKeepNoOrder) {
  const Algorithm& scan = *parse_request("scan/multi_leader").algorithm;
  Problem problem{.collective = Collective::scan, .p = 8};
  problem.topology = std::make_shared<const Topology>(std::vector<int>(8, 0),
                                                      std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1});
  EXPECT_TRUE(by_domain(scan, problem).empty());
  problem.topology = parse_topology("1x2x4");
  EXPECT_EQ(by_domain(scan, problem).size(), 1u);
  problem.topology = parse_topology("2x2x2");
  EXPECT_EQ(by_domain(scan, problem).size(), 2u);
}

// Compositions stand in line however many ranks there are, and win what is short.
TEST(Levels, TensOfThousandsOfRanks) {
  const Profile profile = default_profile();
  for (const char* topology : {"64x64", "1024x64"})
    for (int i = 0; i < collective_count; ++i) {
      const auto collective = static_cast<Collective>(i);
      const Problem problem = on_nodes(collective, topology, guessed_bytes(collective, 1));
      const Choice choice = choose(known_of(problem), nullptr, profile, 0);
      EXPECT_TRUE(std::isfinite(choice.predictions.front().seconds)) << topology;
      EXPECT_TRUE(std::any_of(choice.predictions.begin(), choice.predictions.end(),
                              [](const Prediction& each) { return each.algorithm->node_aware; }))
          << name_of(collective);
      if (collective == Collective::bcast || collective == Collective::allgather) {
        EXPECT_TRUE(choice.algorithm->node_aware)
            << topology << ' ' << choice.algorithm->full_name();
      }
    }
}

// The links of a mesh are left out where ranks are too many to follow their messages.
TEST(Levels, ManyRanksOnAMesh) {
  const Machine machine = default_profile().machine_for();
  Machine mesh = machine;
  mesh.mesh = parse_mesh("8x8");
  for (const char* topology : {"64x64", "40x64"}) {
    const Problem problem = on_nodes(Collective::bcast, topology, 1 << 16);
    EXPECT_FALSE(follows_links(problem.topology.get(), mesh));
    const auto with = predict(problem, mesh), without = predict(problem, machine);
    EXPECT_EQ(with.front().algorithm, without.front().algorithm);
    EXPECT_EQ(with.front().seconds, without.front().seconds);
  }
  EXPECT_TRUE(follows_links(parse_topology("64x16").get(), mesh));
}

// A node's blocks for all ranks do not pass through one of its ranks where they are too many.
TEST(Levels, SchedulesThatAreTooLongAreNotMade) {
  const auto all = predict(on_nodes(Collective::alltoall, "1024x64", std::size_t{8} << 16),
                           default_profile().machine_for());
  const auto leader = std::find_if(all.begin(), all.end(), [](const Prediction& each) {
    return each.algorithm->name == "leader";
  });
  ASSERT_NE(leader, all.end());
  EXPECT_FALSE(leader->valid());
  EXPECT_NE(leader->unmet.find("too many blocks"), std::string::npos);
  EXPECT_TRUE(all.front().valid());
}

}  // namespace
}  // namespace tutti::core
