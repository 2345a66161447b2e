// Algorithm::resolve: what parameters are taken, and that the model's own are.

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"

namespace tutti {
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

}  // namespace
}  // namespace tutti
