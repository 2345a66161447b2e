// Where ranks live, in the proofs.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/asked.hpp"
#include "request/request.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

TEST(ProofTopologies, HoldEveryGridToSixBySix) {
  for (int nodes = 1; nodes <= 6; ++nodes)
    for (int each = 1; each <= 6; ++each)
      for (const char* placement : {"", ":cyclic"}) {
        const auto grid = parse_topology(fmt::format("{}x{}{}", nodes, each, placement));
        const auto all = proof_topologies(grid->p());
        EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& topology) {
          return *topology == *grid;
        })) << grid->describe();
      }
}

TEST(ProofTopologies, HoldEveryGridWithRanksInNoOrder) {
  for (int nodes = 2; nodes <= 6; ++nodes)
    for (int each = 2; each <= 6; ++each) {
      const auto all = proof_topologies(nodes * each);
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const auto& topology) {
                                return topology->is_uniform() && topology->nodes() == nodes &&
                                       topology->describe().find('x') ==
                                           std::string::npos;  // a list of nodes
                              }))
          << nodes << "x" << each;
    }
}

TEST(ProofTopologies, HoldUnequalNodesAndRanksInNoOrder) {
  for (int p = 5; p <= 64; ++p) {
    const auto all = proof_topologies(p);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& topology) {
      return !topology->is_uniform() && !topology->is_contiguous();
    })) << p;
  }
}

// The command's test goes to p = 24; the larger grids, 5x5 to 6x6, are here.
TEST(ProofTopologies, CompositionsAreRightOnTheLargestGrids) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.node_aware) continue;
    for (const int p : {25, 30, 36})
      for (const auto& [problem, parameters] : proof_cases(algorithm, p)) {
        const auto findings = verify(problem, algorithm, parameters);
        ASSERT_TRUE(findings.empty())
            << findings.front().describe() << ", " << problem.describe() << ", "
            << format_request(algorithm, parameters) << ", " << problem.topology->describe();
      }
  }
}

// Every inner algorithm that may be asked for is proved somewhere.
TEST(ProofTopologies, MeetEveryInnerAlgorithmAndSeveralLeaders) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.node_aware) continue;
    std::set<std::size_t> inners, inners_of_domains, leaders;
    for (int p = 1; p <= 24; ++p)
      for (const auto& [problem, parameters] : proof_cases(algorithm, p)) {
        inners.insert(parameters.at("inner"));
        if (parameters.contains("leaders") && parameters.at("leaders") == Leaders::of_domains &&
            problem.topology->has_domains() && problem.topology->nodes() > 1)
          inners_of_domains.insert(parameters.at("inner"));
        if (parameters.contains("leaders")) leaders.insert(parameters.at("leaders"));
      }
    std::size_t flat = 0, possible = 0;
    for (const Algorithm* each : algorithms_of(algorithm.inner()->inner->collective)) {
      possible += each->may_be_inner();
      flat += each->may_be_inner() && !each->node_aware;
    }
    const bool has_leaders = algorithm.name == "multi_leader";
    EXPECT_EQ(inners.size(), has_leaders ? possible : flat) << algorithm.full_name();
    EXPECT_EQ(inners_of_domains.size(), has_leaders ? possible : 0) << algorithm.full_name();
    EXPECT_EQ(leaders.size(), has_leaders ? 6u : 0u) << algorithm.full_name();
  }
}

}  // namespace
}  // namespace tutti::core
