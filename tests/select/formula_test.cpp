#include "select/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "request/request.hpp"

namespace tutti::core {
namespace {

constexpr Rates rates{
    .alpha = 11e-6, .beta = 6e-9, .gamma = 2e-9, .alpha_uni = 8e-6, .beta_uni = 4e-9};

TEST(Formula, ReadsClaimsThatAreLinesInN) {
  const auto tree = linear_cost("q (alpha_uni + n beta_uni)");
  ASSERT_TRUE(tree);
  EXPECT_NEAR(tree->seconds(6, 100, rates), 3 * (8e-6 + 100 * 4e-9), 1e-15);
  const auto halving =
      linear_cost("lg p alpha + (p-1)/p n (beta + gamma) (2^k); else fold first, unfold last");
  ASSERT_TRUE(halving);
  EXPECT_NEAR(halving->seconds(8, 64, rates), 3 * 11e-6 + 56 * 8e-9, 1e-15);
  const auto twice = linear_cost("2(p-1) alpha + (p-1)/p n (2 beta + gamma)");
  ASSERT_TRUE(twice);
  EXPECT_NEAR(twice->seconds(4, 64, rates), 6 * 11e-6 + 48 * 14e-9, 1e-15);
  const auto bruck = linear_cost("q alpha + n/2 lg p beta");
  ASSERT_TRUE(bruck);
  EXPECT_NEAR(bruck->seconds(8, 64, rates), 3 * 11e-6 + 96 * 6e-9, 1e-15);
}

TEST(Formula, RefusesWhatIsNoLine) {
  for (const char* claim :
       {"", "alpha +", "(k-1 + q) (alpha + n/k beta)", "at most (radix-1) rounds (alpha + n beta)",
        "n n beta", "alpha beta", "q", "n/(p-1) beta", "as rabenseifner (2^k); else more",
        "0 alpha", "99999999999 alpha", "(alpha", "alpha)", "lg q alpha", "lg"})
    EXPECT_FALSE(linear_cost(claim)) << claim;
}

// Equation by equation as the 2002 paper's terms give it: lg p alpha + n (lg p - (p-1)/p) beta
// against (p-1) alpha + (p-1)/p n beta.
TEST(Formula, ReduceScatterOfThe2002Paper) {
  const auto a = linear_cost("lg p alpha + n (lg p - (p-1)/p) (beta + gamma) (2^k); else more");
  const auto b = linear_cost("(p-1) alpha + (p-1)/p n (beta + gamma); not commutative: more");
  ASSERT_TRUE(a && b);
  const auto found = cutoff(*a, *b, 64, rates);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "(p - 1 - lg p) alpha / ((lg p - 2 (p-1)/p) (beta + gamma))");
  EXPECT_NEAR(found->bytes, 57 * 11e-6 / ((6 - 2 * 63.0 / 64) * 8e-9), 1e-6);
  EXPECT_EQ(cutoff(*b, *a, 64, rates)->text, found->text) << "in whichever order";
}

// q (alpha + n beta) against 2q alpha + 2 (p-1)/p n beta: with one cost both ways the paper's, with
// two the same terms apart.
TEST(Formula, BroadcastOfThe2002Paper) {
  const auto a = linear_cost("q (alpha + n beta)");
  const auto b = linear_cost("2q alpha + 2 (p-1)/p n beta");
  EXPECT_EQ(cutoff(*a, *b, 8, rates)->text, "lg p alpha / ((lg p - 2 (p-1)/p) beta)");
  EXPECT_EQ(cutoff(*a, *b, 9, rates)->text, "q alpha / ((q - 2 (p-1)/p) beta)");
  EXPECT_FALSE(cutoff(*a, *b, 2, rates)) << "lg p <= 2: never";
  const auto apart = linear_cost("q (alpha_uni + n beta_uni)");
  const auto ring = linear_cost("q alpha_uni + (p-1) alpha + (p-1)/p n (beta_uni + beta) (root 0)");
  EXPECT_EQ(cutoff(*apart, *ring, 64, rates)->text,
            "(p - 1) alpha / ((lg p - (p-1)/p) beta_uni - (p-1)/p beta)");
}

TEST(Formula, InNumbersForOneP) {
  const Request hybrid = parse_request("bcast/hybrid:shape=4x4,long=1");
  const Size size{16, 1 << 20, 0, true, hybrid.parameters};
  const auto found = linear_cost(*hybrid.algorithm, size, rates);
  ASSERT_TRUE(found);
  for (const double n : {65536.0, 1048576.0, 8388608.0}) {
    Size other = size;
    other.n = n;
    EXPECT_NEAR(found->seconds(16, n, rates), hybrid.algorithm->seconds(other, rates), 1e-12) << n;
  }
}

// The slower of a chain's first, last and inner ranks counts: no sum of what each letter gives.
TEST(Formula, NoneWhereTheTimeIsNoSum) {
  const Algorithm& chain = *parse_request("bcast/chain").algorithm;
  EXPECT_FALSE(linear_cost(chain, {16, 1 << 20, 0, true, {{"segment", 1 << 10}}}, rates));
}

}  // namespace
}  // namespace tutti::core
