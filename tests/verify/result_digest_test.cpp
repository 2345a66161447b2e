#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "execute/local.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr std::size_t count = 23;

Problem problem_of(Collective collective, int p) {
  Problem problem = Problem::even(collective, p, count);
  problem.element_bytes = sizeof(double);
  return problem;
}

/// All ranks' results of sums of doubles, to the last bit.
std::vector<std::vector<std::byte>> sums(const Problem& problem, const Algorithm& algorithm,
                                         const Parameters& parameters) {
  LocalOptions options;
  options.element_bytes = sizeof(double);
  options.reduction = [](const std::byte* left, const std::byte* right, std::byte* result,
                         std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) {
      double a = 0, b = 0;
      std::memcpy(&a, left + i * sizeof a, sizeof a);
      std::memcpy(&b, right + i * sizeof b, sizeof b);
      a += b;
      std::memcpy(result + i * sizeof a, &a, sizeof a);
    }
  };
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(0, 1);
  std::vector<LocalBuffers> buffers(static_cast<std::size_t>(problem.p));
  for (Rank r = 0; r < problem.p; ++r) {
    LocalBuffers& mine = buffers[static_cast<std::size_t>(r)];
    std::vector<double> values(problem.input_count(r));
    for (double& value : values) value = any(random);
    mine.input.resize(values.size() * sizeof(double));
    std::memcpy(mine.input.data(), values.data(), mine.input.size());
    mine.output.resize(problem.output_count(r) * sizeof(double));
  }
  LocalExecution execution(problem, algorithm, parameters, options);
  execution.start(buffers);
  while (execution.progress()) {
  }
  EXPECT_TRUE(execution.done()) << execution.failure();
  std::vector<std::vector<std::byte>> results;
  for (Rank r = 0; r < problem.p; ++r)
    results.emplace_back(execution.output(r).begin(), execution.output(r).end());
  return results;
}

TEST(ResultDigest, WhereItIsEqualFloatsAre) {
  int alike = 0, unlike = 0;
  for (const Collective collective :
       {Collective::reduce, Collective::allreduce, Collective::reduce_scatter_block,
        Collective::reduce_scatter, Collective::scan, Collective::exscan})
    for (int p = 2; p <= 9; ++p) {
      const Problem problem = problem_of(collective, p);
      std::map<std::uint64_t, std::vector<std::vector<std::byte>>> known;
      for (const Algorithm* algorithm : algorithms_of(collective)) {
        if (!algorithm->unmet(problem).empty()) continue;
        const Parameters parameters = algorithm->resolve(problem, {1e-6, 1e-9, 1e-10, 1e-6, 1e-9});
        const auto results = sums(problem, *algorithm, parameters);
        const auto [found, is_new] =
            known.emplace(result_digest(problem, *algorithm, parameters, true), results);
        ++(is_new ? unlike : alike);
        EXPECT_EQ(found->second, results) << algorithm->full_name() << ", p = " << p;
      }
    }
  EXPECT_GT(alike, 50);
  EXPECT_GT(unlike, 50);
}

TEST(ResultDigest, TellsOrdersApart) {
  const auto digest = [](const char* name, int p, bool swaps, std::size_t elements = count) {
    const Request request = parse_request(name);
    Problem problem = Problem::even(request.algorithm->collective, p, elements);
    problem.element_bytes = sizeof(double);
    return result_digest(problem, *request.algorithm,
                         request.algorithm->resolve(problem, {1e-6, 1e-9, 1e-10, 1e-6, 1e-9}),
                         swaps);
  };
  EXPECT_NE(digest("allreduce/ring", 4, true), digest("allreduce/recursive_doubling", 4, true));
  EXPECT_EQ(digest("allreduce/ring", 2, true), digest("allreduce/recursive_doubling", 2, true));
  EXPECT_NE(digest("allreduce/ring", 2, false), digest("allreduce/recursive_doubling", 2, false))
      << "a block of the ring's begins with the other rank";
  // These take turns while a program learns.
  EXPECT_EQ(digest("reduce_scatter_block/linear", 5, true, 25),
            digest("reduce_scatter_block/pairwise", 5, true, 25));
  EXPECT_EQ(digest("allreduce/two_shot", 5, true), digest("allreduce/pairwise_ring", 5, true));
  EXPECT_EQ(digest("allreduce/two_shot", 5, true, 1), digest("allreduce/linear", 5, true, 1));
  EXPECT_EQ(digest("allreduce/star", 5, true), digest("allreduce/linear", 5, true));
}

}  // namespace
}  // namespace tutti::core
