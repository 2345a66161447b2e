#include "select/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "algorithms/shape.hpp"
#include "model/profile.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

Machine machine() { return default_profile().machine_for(); }

/// On nodes, or without: "" is one rank on each.
Problem problem_of(Collective collective, std::string_view topology, int p, std::size_t n) {
  Problem problem = even_problem(collective, p, n);
  if (!topology.empty()) problem.topology = parse_topology(topology, p);
  return problem;
}

const std::vector<Collective> every = [] {
  std::vector<Collective> list;
  for (int i = 0; i < collective_count; ++i) list.push_back(static_cast<Collective>(i));
  return list;
}();
constexpr std::size_t sizes[] = {8, 6000, 1 << 20};
constexpr std::string_view topologies[] = {"", "1x12", "3x4", "6x2:cyclic"};

TEST(Candidates, FewFastDifferentAndFastestFirst) {
  for (const Collective collective : every)
    for (const std::string_view topology : topologies)
      for (const std::size_t n : sizes) {
        const auto found = candidates(problem_of(collective, topology, 12, n), machine(), 5, 1.5);
        ASSERT_FALSE(found.empty());
        EXPECT_LE(found.size(), 5U);
        std::map<const Algorithm*, int> of_one;
        std::set<std::string> names;
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_LE(found[i].seconds, 1.5 * found[0].seconds * (1 + 1e-6));
          if (i > 0) {
            EXPECT_GE(found[i].seconds, found[i - 1].seconds * (1 - 1e-6));
          }
          EXPECT_LE(++of_one[found[i].algorithm], 2);
          EXPECT_TRUE(
              names.insert(format_request(*found[i].algorithm, found[i].parameters)).second);
        }
      }
}

TEST(Candidates, TheSameUnderAnotherNameIsNotTaken) {
  const auto found = candidates(problem_of(Collective::bcast, "8x8", 64, 8), machine(), 20, 4);
  std::set<std::pair<const Algorithm*, double>> times;
  for (const Prediction& each : found)
    EXPECT_TRUE(times.insert({each.algorithm, each.seconds}).second)
        << format_request(*each.algorithm, each.parameters);
}

TEST(Candidates, NoneIsFasterThanTheFirst) {
  for (const Collective collective : every)
    for (const std::string_view topology : topologies) {
      const Problem problem = problem_of(collective, topology, 12, 6000);
      EXPECT_LE(candidates(problem, machine(), 1, 1).front().seconds,
                predict(problem, machine()).front().seconds);
    }
}

TEST(Candidates, WithoutALimitTheyAreAllThatCanRun) {
  for (const Collective collective : every)
    for (const std::string_view topology : topologies) {
      const Problem problem = problem_of(collective, topology, 12, 6000);
      std::set<const Algorithm*> found, expected;
      for (const Prediction& each : all_candidates(problem, machine()))
        found.insert(each.algorithm);
      for (const Prediction& each : predict(problem, machine()))
        if (each.valid()) expected.insert(each.algorithm);
      EXPECT_EQ(found, expected);
    }
}

TEST(Candidates, AreRight) {
  for (const Collective collective : every)
    for (const std::string_view topology : {"", "2x3"}) {
      const Problem problem = problem_of(collective, topology, 6, 40000);
      for (const Prediction& each : all_candidates(problem, machine())) {
        const auto problems = verify(problem, *each.algorithm, each.parameters);
        EXPECT_TRUE(problems.empty()) << format_request(*each.algorithm, each.parameters);
      }
    }
}

TEST(Candidates, AskedForTheyGetTheirParameters) {
  for (const Collective collective : every)
    for (const std::string_view topology : topologies)
      for (const std::size_t n : sizes) {
        const Problem problem = problem_of(collective, topology, 12, n);
        const Rates rates = machine().rates_for(problem.topology.get());
        for (const Prediction& each : all_candidates(problem, machine())) {
          const Request request = shortest_request(problem, machine(), each);
          const Request read =
              parse_request(format_request(*request.algorithm, request.parameters));
          EXPECT_EQ(read.algorithm->resolve(problem, rates, read.parameters), each.parameters)
              << format_request(*request.algorithm, request.parameters);
        }
      }
}

TEST(Candidates, WhatTheModelFindsIsNotAskedFor) {
  const Problem problem = problem_of(Collective::bcast, "", 12, 1 << 20);
  for (const Prediction& each : predict(problem, machine()))
    EXPECT_TRUE(shortest_request(problem, machine(), each).parameters.empty());
}

TEST(Candidates, ParametersVary) {
  const auto values = [](const Problem& problem, std::string_view name, std::string_view of) {
    std::set<std::string> found;
    for (const Prediction& each : all_candidates(problem, machine()))
      if (each.algorithm->name == of)
        found.insert(format_value(*each.algorithm, each.parameters, name));
    return found;
  };
  const Problem bcast = problem_of(Collective::bcast, "", 64, 1 << 20);
  EXPECT_EQ(values(bcast, "segment", "chain").size(), 3U);
  EXPECT_EQ(values(bcast, "blocks", "circulant").size(), 3U);
  EXPECT_EQ(values(bcast, "radix", "knomial"), (std::set<std::string>{"2", "3", "4", "8"}));
  EXPECT_TRUE(values(bcast, "shape", "hybrid").contains("8x8"));
  EXPECT_GE(values(bcast, "long", "hybrid").size(), 2U);
  const Problem allreduce = problem_of(Collective::allreduce, "4x16", 64, 1 << 16);
  EXPECT_EQ(values(allreduce, "leaders", "multi_leader"), (std::set<std::string>{"2", "4", "8"}));
  EXPECT_GE(values(allreduce, "inner", "leader").size(), 3U);
}

}  // namespace
}  // namespace tutti::core
