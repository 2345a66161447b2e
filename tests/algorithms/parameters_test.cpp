// Algorithm::resolve: what parameters are taken, and that the model's own are.

#include <gtest/gtest.h>

#include "request/request.hpp"

namespace tutti::core {
namespace {

/// Cutting is cheap, so that the model wants many pieces.
constexpr Rates many_pieces{
    .alpha = 1e-12, .beta = 1, .gamma = 1, .alpha_uni = 1e-12, .beta_uni = 1};

std::string refusal(const std::string& request, const Problem& problem) {
  const auto [algorithm, given] = parse_request(request);
  try {
    algorithm->resolve(problem, many_pieces, given);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Parameters, RefuseMorePiecesThanAnybodyCanWaitFor) {
  const Problem bcast{.collective = Collective::bcast, .p = 4, .count = std::size_t{8} << 30};
  EXPECT_EQ(refusal("bcast/chain:segment=1", bcast),
            "bcast/chain: segment = 1 cuts the data into 8589934592 pieces, but 1048576 are the "
            "most");
  EXPECT_EQ(refusal("bcast/chain:segment=8K", bcast), "");
  EXPECT_NE(refusal("bcast/chain:segment=8000", bcast), "");
  EXPECT_NE(refusal("bcast/circulant:blocks=4G", bcast), "");
  EXPECT_EQ(refusal("bcast/circulant:blocks=1M", bcast), "");

  const Problem allgatherv = Problem::even(Collective::allgatherv, 256, std::size_t{1} << 30);
  EXPECT_NE(refusal("allgatherv/circulant:blocks=1M", allgatherv), "");
  EXPECT_NE(refusal("allgatherv/circulant:blocks=18446744073709551615", allgatherv), "");
  EXPECT_EQ(refusal("allgatherv/circulant:blocks=4K", allgatherv), "");
  EXPECT_NE(refusal("allgatherv/pipelined_ring:segment=1", allgatherv), "");
}

// What the model proposes must pass when it is given back.
TEST(Parameters, DefaultsAreTaken) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.parameters.empty()) continue;
    for (const int p : {2, 3, 100, 1000}) {
      Problem problem = Problem::even(algorithm.collective, p, std::size_t{1} << 40);
      if (!problem.counts.empty() && !is_alltoall(algorithm.collective))
        problem.counts[1] = 0;  // unequal, so that there is something to cut
      const Parameters defaults = algorithm.resolve(problem, many_pieces);
      EXPECT_NO_THROW(algorithm.resolve(problem, many_pieces, defaults))
          << format_request(algorithm, defaults) << ", p = " << p;
    }
  }
}

TEST(Parameters, AMeshMustHoldAllRanks) {
  const Problem twelve = Problem::even(Collective::allreduce, 12, 1200);
  EXPECT_EQ(refusal("allreduce/hybrid:shape=3x5", twelve),
            "allreduce/hybrid: needs 15 ranks for shape=3x5, not 12");
  EXPECT_EQ(refusal("allreduce/hybrid:shape=3x4", twelve), "");
  EXPECT_EQ(refusal("allreduce/hybrid:shape=1x12x1,long=7", twelve), "");
  const auto [algorithm, given] = parse_request("allreduce/hybrid:shape=4x4");
  EXPECT_EQ(algorithm->unmet(twelve, given), "needs 16 ranks for shape=4x4, not 12");
}

TEST(Parameters, RingsOverAMeshNeedACommutativeOperator) {
  Problem problem = Problem::even(Collective::reduce, 12, 12 << 20);
  problem.commutative = false;
  EXPECT_EQ(refusal("reduce/hybrid:shape=3x4,long=1", problem),
            "reduce/hybrid: needs a commutative operator, unless long=0");
  EXPECT_EQ(refusal("reduce/hybrid:shape=3x4,long=0", problem), "");
  const Algorithm& hybrid = *parse_request("reduce/hybrid").algorithm;
  EXPECT_EQ(hybrid.resolve(problem, many_pieces).at("long"), 0u);
  EXPECT_EQ(
      hybrid.resolve(problem, many_pieces, parse_request("reduce/hybrid:shape=3x4").parameters)
          .at("long"),
      0u);
  problem.commutative = true;
  EXPECT_GT(hybrid.resolve(problem, many_pieces).at("long"), 0u);
}

Problem on(const char* topology, Collective collective, bool commutative = true) {
  const auto nodes = parse_topology(topology);
  Problem problem = Problem::even(collective, nodes->p(), 1 << 20);
  problem.topology = nodes;
  problem.commutative = commutative;
  return problem;
}

TEST(Parameters, AnInnerAlgorithmMustBeValidBetweenTheNodes) {
  EXPECT_EQ(refusal("alltoall/leader:inner=pairwise_xor", on("3x4", Collective::alltoall)),
            "alltoall/leader: uses pairwise_xor, which needs a power of two of ranks, not 3");
  EXPECT_EQ(refusal("alltoall/leader:inner=pairwise_xor", on("4x3", Collective::alltoall)), "");
  // As many leaders as the parameter says.
  EXPECT_NE(refusal("alltoall/multi_leader:leaders=3,inner=pairwise_xor",
                    on("4x3", Collective::alltoall)),
            "");
  EXPECT_EQ(refusal("allreduce/leader:inner=ring", on("3x4", Collective::allreduce, false)),
            "allreduce/leader: uses ring, which needs a commutative operator");
  EXPECT_EQ(parse_request("allreduce/leader:inner=ring")
                .algorithm->unmet(on("3x4", Collective::allreduce, false),
                                  parse_request("allreduce/leader:inner=ring").parameters),
            "uses ring, which needs a commutative operator");
}

TEST(Parameters, OrderAcrossNodesNeedsConsecutiveRanks) {
  const auto unmet = [](const char* name, const char* topology, bool commutative) {
    const Algorithm& algorithm = *parse_request(name).algorithm;
    return algorithm.unmet(on(topology, algorithm.collective, commutative));
  };
  EXPECT_EQ(unmet("allreduce/leader", "3x4:cyclic", false),
            "needs nodes that hold consecutive ranks, or a commutative operator");
  EXPECT_EQ(unmet("allreduce/leader", "3x4:cyclic", true), "");
  EXPECT_EQ(unmet("allreduce/leader", "3x4", false), "");
  EXPECT_EQ(unmet("scan/leader", "3x4:cyclic", true), "needs nodes that hold consecutive ranks");
  EXPECT_EQ(unmet("scan/leader", "3x4", true), "");
}

// The inner one's parameters are the model's for its own problem.
TEST(Parameters, TheModelChoosesTheInnerAlgorithm) {
  const Algorithm& leader = *parse_request("bcast/leader").algorithm;
  const Rates line{.alpha = 1e-5, .beta = 1e-8, .gamma = 0, .alpha_uni = 1e-5, .beta_uni = 1e-8};
  const Problem large = on("16x4", Collective::bcast);
  Problem small = large;
  small.count = 8;
  const auto inner = [&](const Problem& problem) {
    return format_request(leader, leader.resolve(problem, line));
  };
  EXPECT_EQ(inner(small), "bcast/leader:inner=binomial");
  EXPECT_NE(inner(large), inner(small));
  const Parameters chain =
      leader.resolve(large, line, parse_request("bcast/leader:inner=chain").parameters);
  const Algorithm& flat = *parse_request("bcast/chain").algorithm;
  Problem between = Problem::even(Collective::bcast, 16, large.count);
  EXPECT_EQ(chain.at("inner.segment"), flat.resolve(between, line).at("segment"));
  EXPECT_EQ(leader
                .resolve(large, line,
                         parse_request("bcast/leader:inner=chain,inner.segment=77").parameters)
                .at("inner.segment"),
            77u);
}

}  // namespace
}  // namespace tutti::core
