// Where nodes are joined as a mesh, messages of one step share its links (Mitra et al. 1995).

#include <gtest/gtest.h>

#include "algorithms/shape.hpp"
#include "model/estimate.hpp"
#include "request/request.hpp"
#include "select/candidates.hpp"

namespace tutti::core {
namespace {

constexpr double alpha = 70e-6, beta = 6e-9;

Machine machine_on(std::string_view mesh) {
  Machine machine{
      {.alpha = alpha, .beta = beta, .gamma = 0, .alpha_uni = alpha, .beta_uni = beta}, {}, {}};
  if (!mesh.empty()) machine.mesh = parse_mesh(mesh);
  return machine;
}

Problem one_per_node(Collective collective, int p, std::size_t n) {
  Problem problem = even_problem(collective, p, n);
  problem.topology = std::make_shared<const Topology>(Topology::one_rank_per_node(p));
  return problem;
}

double time_of(std::string_view request, int p, std::size_t n, std::string_view mesh) {
  const Request asked = parse_request(request);
  const Machine machine = machine_on(mesh);
  const Problem problem = one_per_node(asked.algorithm->collective, p, n);
  return estimate(problem, *asked.algorithm,
                  asked.algorithm->resolve(problem, machine.rates, asked.parameters), machine);
}

TEST(OnAMesh, MessagesShareALink) {
  const double n = 1e6;
  // Distances 1, 2 and 4: on a line as many messages cross the link in the middle.
  EXPECT_NEAR(time_of("allreduce/recursive_doubling", 8, 1'000'000, "8"),
              3 * alpha + (1 + 2 + 4) * n * beta, 1e-9);
  EXPECT_NEAR(time_of("allreduce/recursive_doubling", 8, 1'000'000, ""), 3 * (alpha + n * beta),
              1e-9);
  // Rows of two and columns of four: 1 along the row, 1 and 2 along the column.
  EXPECT_NEAR(time_of("allreduce/recursive_doubling", 8, 1'000'000, "4x2"),
              3 * alpha + (1 + 1 + 2) * n * beta, 1e-9);
}

TEST(OnAMesh, WhatHasNoConflictsTakesAsLongAsWithout) {
  for (const char* name : {"bcast/binomial", "reduce/binomial", "allgather/ring", "allreduce/ring",
                           "bcast/scatter_allgather_ring", "scatter/binomial"})
    for (const int p : {3, 8, 13, 32}) {
      const std::string line = std::to_string(p);
      EXPECT_NEAR(time_of(name, p, 64 * 1024, line), time_of(name, p, 64 * 1024, ""), 1e-9)
          << name << " " << p;
    }
  EXPECT_NEAR(time_of("allreduce/hybrid:shape=4x8,long=1", 32, 64 * 1024, "4x8"),
              time_of("allreduce/hybrid:shape=4x8,long=1", 32, 64 * 1024, ""), 1e-9);
}

TEST(OnAMesh, ALinkCarriesWhatAllCoresOfANodeGet) {
  Machine machine = machine_on("3");
  machine.interface.curve = {{1, 1.0}, {4, 4.0}};
  Problem problem = even_problem(Collective::allreduce, 12, 12 << 20);
  problem.topology = parse_topology("3x4");
  const Request lanes = parse_request("allreduce/full_lane:inner=ring");
  const Parameters parameters = lanes.algorithm->resolve(problem, machine.rates, lanes.parameters);
  const double on_line = estimate(problem, *lanes.algorithm, parameters, machine);
  machine.mesh.reset();
  const double switched = estimate(problem, *lanes.algorithm, parameters, machine);
  EXPECT_NEAR(on_line, switched, 1e-9 * switched);  // a ring has no conflicts
  machine.mesh = parse_mesh("3");
  machine.interface.curve = {{1, 1.0}};
  EXPECT_GT(estimate(problem, *lanes.algorithm, parameters, machine), 2 * switched);
}

TEST(OnAMesh, ParametersAreForTheProblemAsItIs) {
  const Machine machine = machine_on("8");
  Problem problem = one_per_node(Collective::allgatherv, 8, 0);
  problem.counts = {1 << 20, 0, 0, 0, 0, 0, 0, 1};
  for (const Prediction& each : predict(problem, machine))
    if (each.valid() && each.algorithm->name == "pipelined_ring") {
      EXPECT_EQ(each.parameters, each.algorithm->resolve(problem, machine.rates));
    }
}

TEST(OnAMesh, StepsOfTheNetworkDoNotHideTheHybrid) {
  Machine machine = machine_on("4x8");
  machine.rates.alpha = machine.rates.alpha_uni = 60e-6;
  machine.steps = {{0, 5e-6, beta, 5e-6, beta}, {65536, 60e-6, beta, 60e-6, beta}};
  const Problem problem = one_per_node(Collective::allreduce, 32, 64 * 1024);
  const Prediction best = predict(problem, machine).front();
  const Algorithm& hybrid = *parse_request("allreduce/hybrid").algorithm;
  for (std::size_t longs = 0; longs <= 2; ++longs) {
    const Parameters given =
        hybrid.resolve(problem, machine.rates, {{"shape", parse_shape("4x8")}, {"long", longs}});
    EXPECT_LE(best.seconds, estimate(problem, hybrid, given, machine) * (1 + 1e-9));
  }
}

TEST(OnAMesh, ASmallerGroupIsALine) {
  const Machine machine = machine_on("4x8");
  const auto nodes = [](int p) { return Topology::one_rank_per_node(p); };
  const Topology all = nodes(32), row = nodes(8), two = nodes(2), more = nodes(33);
  EXPECT_EQ(machine.mesh_of(&all), parse_mesh("4x8"));
  EXPECT_EQ(machine.mesh_of(&row), parse_mesh("8"));
  EXPECT_FALSE(machine.mesh_of(&two));  // nobody to share with
  EXPECT_FALSE(machine.mesh_of(&more));
  EXPECT_FALSE(machine.mesh_of(nullptr));
  EXPECT_FALSE(machine_on("").mesh_of(&all));
}

/// What the model takes is, over the links, as fast as anything else that it knows.
TEST(OnAMesh, TheFastestOverTheLinksIsTaken) {
  for (const char* mesh : {"8", "32", "4x8", "torus:4x4", "2x3x4"})
    for (const Collective collective :
         {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::allgather,
          Collective::reduce_scatter_block, Collective::scatter, Collective::gather,
          Collective::alltoall, Collective::scan})
      for (const std::size_t n : {64, 64 * 1024, 1 << 20, 4 << 20}) {
        const Machine machine = machine_on(mesh);
        const Problem problem = one_per_node(collective, machine.mesh->p(), n);
        const std::vector<Prediction> all = predict(problem, machine);
        for (const Prediction& each : all) {
          if (!each.valid()) continue;
          EXPECT_LE(all.front().seconds,
                    estimate(problem, *each.algorithm, each.parameters, machine) * (1 + 1e-9))
              << name_of(collective) << " " << n << " " << each.algorithm->name << " on " << mesh;
        }
      }
}

TEST(OnAMesh, HybridsHaveItsShape) {
  const Machine machine = machine_on("4x8");
  const Problem problem = one_per_node(Collective::bcast, 32, 1 << 20);
  const Prediction best = predict(problem, machine).front();
  EXPECT_EQ(best.algorithm->name, "hybrid");
  EXPECT_EQ(best.parameters.at("shape"), parse_shape("4x8"));
  EXPECT_EQ(shape_of(parse_mesh("1x4x1x8")), parse_shape("4x8"));
  // A circulant graph is the fastest where all are equally near.
  EXPECT_EQ(predict(problem, machine_on("")).front().algorithm->name, "circulant");
}

TEST(OnAMesh, CandidatesAreMeasuredAgainstTheLinksToo) {
  const Machine machine = machine_on("4x8");
  const Problem problem = one_per_node(Collective::bcast, 32, 1 << 20);
  const std::vector<Prediction> found = candidates(problem, machine, 6, 2);
  ASSERT_FALSE(found.empty());
  for (const Prediction& each : found)
    EXPECT_NEAR(each.seconds, estimate(problem, *each.algorithm, each.parameters, machine), 1e-12);
}

}  // namespace
}  // namespace tutti::core
