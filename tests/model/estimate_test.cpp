#include "model/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/cases.hpp"
#include "request/request.hpp"

namespace tutti::core {
namespace {

constexpr double alpha = 10e-6, beta = 1e-9, alpha_uni = 8e-6, beta_uni = 0.9e-9, gamma = 0.25e-9;
constexpr double latency = 0.3e-6, message = 0.1e-6, byte = 0.125e-9, switching = 5e-6;

Machine machine(int cores = 0, std::vector<std::pair<int, double>> curve = {{1, 1.0}}) {
  return {
      {.alpha = alpha, .beta = beta, .gamma = gamma, .alpha_uni = alpha_uni, .beta_uni = beta_uni},
      {.latency = latency,
       .message = message,
       .byte = byte,
       .switching = switching,
       .cores = cores},
      {std::move(curve)}};
}

/// n bytes in all. Parameters that are not given are the model's.
double time_of(std::string_view request, std::string_view topology, std::size_t n,
               const Machine& on) {
  const Request asked = parse_request(request);
  auto known = parse_topology(topology);
  Problem problem = Problem::even(asked.algorithm->collective, known->p(), n);
  problem.topology = known;
  const Parameters parameters = asked.algorithm->resolve(problem, on.rates, asked.parameters);
  return estimate(problem, *asked.algorithm, parameters, on);
}

void expect_time(double found, double expected) { EXPECT_NEAR(found, expected, 1e-9 * expected); }

TEST(Interface, IsLinearInBetweenAndConstantBeyond) {
  const Interface gains{{{1, 1.0}, {2, 1.9}, {4, 3.2}, {8, 4.0}}};
  EXPECT_DOUBLE_EQ(gains.factor(1), 1);
  EXPECT_DOUBLE_EQ(gains.factor(2), 1.9);
  EXPECT_DOUBLE_EQ(gains.factor(3), 2.55);
  EXPECT_DOUBLE_EQ(gains.factor(6), 3.6);
  EXPECT_DOUBLE_EQ(gains.factor(64), 4);
  EXPECT_DOUBLE_EQ(Interface{}.factor(7), 1);
}

TEST(Machine, DefaultsOfParametersSeeTheNodeWhereThereIsOne) {
  const Topology one = Topology::one_node(8);
  const Rates node = machine(2).rates_for(&one);
  EXPECT_DOUBLE_EQ(node.alpha, latency + 2 * message + 3 * switching);
  EXPECT_DOUBLE_EQ(node.beta, 4 * byte);
  EXPECT_DOUBLE_EQ(node.gamma, gamma);
  const Rates free = machine().rates_for(&one);
  EXPECT_DOUBLE_EQ(free.alpha, latency + 2 * message);
  EXPECT_DOUBLE_EQ(free.beta, byte);
  EXPECT_DOUBLE_EQ(machine().rates_for(parse_topology("2x4").get()).alpha, alpha);
}

TEST(Estimate, MessagesOfARoundOverlapWhereItIsKnownHowLongOneTakesToPost) {
  Machine overlapping = machine();
  overlapping.rates.post = 1e-6;
  expect_time(time_of("bcast/linear", "8x1", 80, machine()), 7 * (alpha_uni + 80 * beta_uni));
  expect_time(time_of("bcast/linear", "8x1", 80, overlapping),
              alpha_uni + 6e-6 + 7 * 80 * beta_uni);
  for (const char* name : {"bcast/binomial", "allgather/ring", "allreduce/recursive_doubling"})
    expect_time(time_of(name, "8x1", 80, overlapping), time_of(name, "8x1", 80, machine()));
}

TEST(Estimate, AMessageIsReadWhileItIsWritten) {
  Machine on = machine();
  on.node.attach = 2e-6;
  for (const std::size_t n : {1000, 8193, 32768, 1000000, 100000000})
    expect_time(
        time_of("bcast/linear", "1x2", n, on),
        latency + 2 * message + (static_cast<double>(std::min<std::size_t>(n, 32768)) + n) * byte);
  // What is combined is read by that.
  const double n = 1e6;
  expect_time(time_of("reduce/linear", "1x2", 1'000'000, on),
              n * byte + latency + 2 * message + 32768 * byte + n * gamma);
}

TEST(Estimate, WhatABusySenderHasStaysWhereItIs) {
  Machine on = machine();
  on.node.attach = 2e-6;
  for (const double n : {1048576.0, 1048577.0}) {
    const bool stays = n > 1048576;
    expect_time(
        time_of("alltoall/linear", "1x2", static_cast<std::size_t>(2 * n), on),
        n * byte + latency + 2 * message + (stays ? on.node.attach + n * byte : 2 * n * byte));
  }
  // Several can read at the same time.
  const double block = 200'000;
  expect_time(time_of("scatter/linear", "1x4", 800'000, on),
              2 * block * byte + latency + on.node.attach + 2 * message);  // its own, too
  // Not if they share the cores with their sender.
  on.node.cores = 2;
  EXPECT_GT(time_of("scatter/linear", "1x4", 800'000, on), 4 * block * byte);
}

TEST(Estimate, NothingStaysWhereReadingTakesMoreCopiesThanItSaves) {
  Machine on = machine();
  on.node.attach = 2e-6;
  // An exchange saves one of two.
  const double n = 2e6;
  const double both = latency + 2 * message + n * byte;  // its own, too
  on.node.reading = 1.5;
  expect_time(time_of("alltoall/linear", "1x2", 4'000'000, on),
              both + on.node.attach + 1.5 * n * byte);
  on.node.reading = 2.1;
  expect_time(time_of("alltoall/linear", "1x2", 4'000'000, on), both + 2 * n * byte);
  // A root with three neighbours saves three.
  const double block = 200'000;
  expect_time(time_of("scatter/linear", "1x4", 800'000, on),
              3.1 * block * byte + latency + on.node.attach + 2 * message);
  on.node.reading = 3.1;
  expect_time(time_of("scatter/linear", "1x4", 800'000, on),
              4 * block * byte + latency + 4 * message);
}

TEST(Estimate, WithinANodeWithACoreForEachRank) {
  const double n = 4096;
  for (const int p : {2, 4, 8}) {
    const std::string node = "1x" + std::to_string(p);
    const double block = n / p, each = latency + 2 * message;
    // What goes to several is written once, and then every receiver reads it.
    expect_time(time_of("bcast/linear", node, 4096, machine()), each + 2 * n * byte);
    expect_time(time_of("barrier/dissemination", node, 0, machine()), std::log2(p) * each);
    // Each rank's own block is copied first.
    expect_time(time_of("allgather/ring", node, 4096, machine()),
                block * byte + (p - 1) * (each + 2 * block * byte));
    expect_time(time_of("alltoall/linear", node, 4096, machine()),
                latency + (p - 1) * (2 * message + 2 * block * byte) + block * byte);
    expect_time(time_of("allreduce/recursive_doubling", node, 4096, machine()),
                n * byte + std::log2(p) * (each + n * (2 * byte + gamma)));
  }
}

TEST(Estimate, RanksThatOutnumberCoresShareThem) {
  const double n = 4096;
  expect_time(time_of("allgather/ring", "1x2", 4096, machine(2)),
              time_of("allgather/ring", "1x2", 4096, machine()));
  // Two turns of the cores in every step.
  expect_time(time_of("allgather/ring", "1x4", 4096, machine(2)),
              2 * n / 4 * byte + 3 * (latency + 2 * (2 * message + n / 2 * byte) + switching));
  // Four of them.
  expect_time(time_of("alltoall/linear", "1x8", 4096, machine(2)),
              latency + 4 * 7 * (2 * message + n / 4 * byte) + 4 * n / 8 * byte + 3 * switching);
  // Two are active at a time, but each rank must be taken up first.
  expect_time(time_of("bcast/chain:segment=4096", "1x4", 4096, machine(2)),
              3 * (latency + 2 * message + 2 * n * byte) + 2 * switching);
}

TEST(Estimate, AMessageToAnotherDomainTakesLonger) {
  const double n = 4096;
  Machine far = machine();
  far.node.across = 3;
  const double within = latency + 2 * (message + n * byte);
  expect_time(time_of("bcast/linear", "1x2x2", 4096, machine()), within);
  expect_time(time_of("bcast/linear", "1x2x2", 4096, far),
              3 * latency + (1 + 3) * (message + n * byte));
  expect_time(time_of("bcast/linear", "1x4", 4096, far), within);
  // The domains' first ranks, then theirs.
  expect_time(time_of("bcast/multi_leader:leaders=domains,inner=linear", "1x2x2", 4096, far),
              3 * latency + (1 + 3) * (message + n * byte) + within);
  // Three levels: nodes, their domains, their ranks.
  expect_time(time_of("bcast/multi_leader:leaders=domains,inner=leader,inner.inner=binomial",
                      "2x2x2", 4096, far),
              alpha_uni + n * beta_uni + 3 * latency + (1 + 3) * (message + n * byte) + within);
}

TEST(Estimate, WhatSeveralGetIsWrittenOnceWhereMemoryIsShared) {
  const double n = 4096;
  Machine apart = machine();
  apart.node.again = 1;
  const double one = message + n * byte;
  expect_time(time_of("bcast/linear", "1x4", 4096, machine()), latency + 2 * one);
  expect_time(time_of("bcast/linear", "1x4", 4096, apart), latency + 3 * one + message);
}

// Some ranks stand for those of equal place.
TEST(Estimate, LeadersOfDomainsAreSeenQuickly) {
  Machine far = machine();
  far.node.across = 3;
  for (const char* text : {"reduce", "allreduce", "gather", "bcast", "allgather"})
    for (const char* topology : {"1x8x8", "8x4x8", "8x4x8:cyclic"})
      for (const char* inner : {"binomial", "leader"}) {
        const auto collective = *collective_named(text);
        auto known = parse_topology(topology);
        Problem problem = Problem::even(collective, known->p(), 65536);
        problem.topology = known;
        const std::string way = collective == Collective::allreduce   ? "recursive_doubling"
                                : collective == Collective::allgather ? "bruck"
                                                                      : "binomial";
        const std::string name = std::string(text) + "/multi_leader:leaders=domains,inner=" +
                                 (inner == std::string("leader") ? "leader,inner.inner=" : "") +
                                 way;
        const Request asked = parse_request(name);
        const Parameters parameters =
            asked.algorithm->resolve(problem, far.rates, asked.parameters);
        const double whole = estimate(problem, *asked.algorithm, parameters, far),
                     quick = estimate(problem, *asked.algorithm, parameters, far, Care::quick);
        EXPECT_NEAR(quick / whole, 1, 0.1) << name << ' ' << topology;
      }
}

TEST(Estimate, ALeaderBroadcastIsItsTwoParts) {
  const double n = 4096;
  expect_time(time_of("bcast/leader:inner=binomial", "2x2", 4096, machine()),
              alpha_uni + n * beta_uni + latency + 2 * message + 2 * n * byte);
  // The tree's second step is one of the leaders 0 and 2, or 1 and 3: the nodes wait for the last.
  expect_time(time_of("bcast/leader:inner=binomial", "4x3", 4096, machine()),
              2 * (alpha_uni + n * beta_uni) + latency + 2 * message + 2 * n * byte);
}

TEST(Estimate, TheCoresOfANodeShareItsInterface) {
  const Machine gains = machine(0, {{1, 1.0}, {2, 1.9}, {4, 3.2}});
  const Machine loses = machine(0, {{1, 1.0}, {4, 0.5}});
  const auto time = [](const Machine& on, std::size_t block) {
    return time_of("alltoall/linear", "4x4", 16 * block, on) -
           static_cast<double>(block) * byte;  // its own, copied
  };
  // Twelve messages of each rank to other nodes; what is inside hides behind them.
  expect_time(time(gains, 100), 12 * (alpha + 100 * beta));
  expect_time(time(gains, 1'000'000), 48 * 1e6 * beta / 3.2);
  expect_time(time(machine(), 1'000'000), 48 * 1e6 * beta);
  expect_time(time(loses, 100), 12 * (alpha / 0.5 + 100 * beta));
  expect_time(time(loses, 1'000'000), 48 * 1e6 * beta / 0.5);
}

// More ranks than are looked at: four nodes stand for all, which are alike.
TEST(Estimate, AFewNodesStandForMany) {
  const Machine gains = machine(0, {{1, 1.0}, {8, 4.0}});
  const double block = 512, copy = block * byte;
  expect_time(time_of("alltoall/linear", "64x8", 512 * 512, gains),
              504 * (alpha + block * beta) + copy);
  expect_time(time_of("alltoall/linear", "64x8", 512 * 100'000, gains),
              8 * 504 * 100'000 * beta / 4 + 100'000 * byte);
  expect_time(time_of("allgather/ring", "64x8", 512 * 512, gains),
              511 * (alpha_uni + block * beta_uni) + copy);  // who sends across does not receive
}

/// Without nodes: everything one-level.
Machine network(const Rates& rates) { return {rates, {}, {}}; }

TEST(Estimate, OneRankPerNodeIsTheClosedForm) {
  for (const char* name :
       {"allgather/ring", "allgather/recursive_doubling", "allgather/bruck", "allgather/linear",
        "allgather/circulant", "alltoall/linear", "alltoall/pairwise", "alltoall/bruck",
        "allreduce/ring", "allreduce/recursive_doubling", "allreduce/rabenseifner",
        "reduce_scatter/pairwise", "reduce_scatter/recursive_halving", "bcast/linear",
        "bcast/binomial", "bcast/scatter_allgather_ring", "barrier/dissemination"})
    for (const int p : {2, 4, 8}) {
      const Request request = parse_request(name);
      const std::size_t n = divisible(p) * 8;
      const std::string nodes = std::to_string(p) + "x1";
      const Problem problem = problem_of(*request.algorithm, p, n);
      const Parameters parameters = request.algorithm->resolve(problem, one_cost);
      SCOPED_TRACE(std::string(name) + " " + nodes);
      expect_time(
          time_of(name, nodes, n, network(one_cost)),
          request.algorithm->seconds({p, static_cast<double>(n), 0, true, parameters}, one_cost));
    }
}

// A message between nodes costs what its size does.
TEST(Estimate, TheStepOfAMessagesSizeCounts) {
  Machine on = machine();
  on.steps = {{0, 10e-6, 1e-9, 8e-6, 0.9e-9}, {4096, 50e-6, 0.5e-9, 40e-6, 0.4e-9}};
  expect_time(time_of("bcast/binomial", "2x1", 4095, on), 8e-6 + 4095 * 0.9e-9);
  expect_time(time_of("bcast/binomial", "2x1", 4096, on), 40e-6 + 4096 * 0.4e-9);
  const double copy = 2048 * byte;  // each rank's own block
  expect_time(time_of("alltoall/pairwise", "2x1", 4096, on), 10e-6 + 2048 * 1e-9 + copy);
  expect_time(time_of("alltoall/pairwise", "2x1", 8192, on), 50e-6 + 4096 * 0.5e-9 + 2 * copy);
  // One that is the machine's own rates changes nothing.
  on.steps.resize(1);
  expect_time(time_of("bcast/binomial", "2x1", 4096, on),
              time_of("bcast/binomial", "2x1", 4096, machine()));
}

// A step takes as long as its longest message, so that few things are faster than the replay, and
// by little: in steps nobody waits for a port.
TEST(Estimate, OneRankPerNodeIsNearTheReplay) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.node_aware || algorithm.learns) continue;
    for (const int p : {2, 5, 8, 13}) {
      Problem problem = problem_of(algorithm, p, divisible(p));
      if (!algorithm.unmet(problem).empty()) continue;
      const Parameters parameters =
          algorithm.resolve(problem, two_costs, even_parameters(algorithm, divisible(p)));
      const double replayed = replay_of(algorithm, problem, parameters, two_costs);
      problem.topology = std::make_shared<Topology>(Topology::one_rank_per_node(p));
      const double estimated = estimate(problem, algorithm, parameters, network(two_costs));
      EXPECT_GE(estimated, replayed * 0.95) << algorithm.full_name() << " " << p;
      EXPECT_LE(estimated, replayed * 2) << algorithm.full_name() << " " << p;
    }
  }
}

TEST(Estimate, LongPipelinesAreExtrapolated) {
  for (const char* name : {"bcast/chain:segment=1024", "bcast/circulant:blocks=1000"}) {
    const Request request = parse_request(name);
    const double closed =
        request.algorithm->seconds({8, 1024e3, 0, true, request.parameters}, one_cost);
    const double found = time_of(name, "8x1", 1024'000, network(one_cost));
    EXPECT_NEAR(found, closed, 0.01 * closed) << name;
  }
  // As long as it would be piece by piece: a millionth more is a piece more.
  const double thousand = time_of("bcast/chain:segment=1024", "1x4", 1000 * 1024, machine());
  expect_time(thousand, 1002 * (latency + 2 * message + 2048 * byte));
}

TEST(Estimate, EveryAlgorithmHasATimeAnywhereThatGrowsWithTheData) {
  for (const char* text : {"1x5", "2x3", "4x2:cyclic", "0,0,0,1,2,2", "1x8"}) {
    const auto topology = parse_topology(text);
    for (const Algorithm& algorithm : registry()) {
      double before = 0;
      for (const std::size_t size : {1u, 16u, 4096u, 65536u}) {
        Problem problem = Problem::even(algorithm.collective, topology->p(), size * topology->p());
        problem.topology = topology;
        if (!algorithm.unmet(problem).empty()) continue;
        Parameters given;
        for (const Parameter& parameter : algorithm.parameters) {
          if (parameter.name == "blocks") given.emplace("blocks", 4);
          if (parameter.name == "segment") given.emplace("segment", 1024);
        }
        const Parameters parameters = algorithm.resolve(problem, machine().rates, given);
        for (const int cores : {0, 2}) {
          const double found = estimate(problem, algorithm, parameters, machine(cores));
          EXPECT_TRUE(std::isfinite(found) && found > 0) << algorithm.full_name() << " " << text;
          if (cores > 0) continue;
          EXPECT_GE(found, before * (1 - 1e-9))
              << algorithm.full_name() << " " << text << " " << size;
          before = found;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tutti::core
