#include "select/reason.hpp"

#include <gtest/gtest.h>

#include "model/bounds.hpp"
#include "model/profile.hpp"

namespace tutti::core {
namespace {

std::string why(Collective collective, int p, std::size_t n, bool commutative = true) {
  Machine machine;
  machine.rates = default_profile().rates;
  return reason(predict(collective, p, n, machine.rates, commutative),
                even_problem(collective, p, n, commutative), n, machine,
                lower_bound(collective, p, static_cast<double>(n), machine.rates), Care::thorough);
}

std::string why_on(const char* topology, Collective collective, std::size_t n,
                   Care care = Care::thorough) {
  const Machine machine = default_profile().machine_for();
  auto nodes = parse_topology(topology);
  Problem problem = even_problem(collective, nodes->p(), n);
  problem.topology = std::move(nodes);
  return reason(predict(problem, machine, {}, care), problem, n, machine, {}, care);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Reason, FewBytesAreLatencyAndManyAreBytes) {
  const std::string few = why(Collective::allreduce, 64, 64);
  EXPECT_TRUE(has(few, "least latency, 6 rounds: at n = 64 latency is 9")) << few;
  EXPECT_TRUE(has(few, " would take ")) << few;
  EXPECT_TRUE(has(few, " times the lower bound")) << few;
  const std::string many = why(Collective::allreduce, 64, 1 << 20);
  EXPECT_TRUE(has(many, "least to move and combine: at n = 1M bytes are 9")) << many;
}

TEST(Reason, InBetweenItNamesWhoIsBetterInOnePart) {
  const std::string text = why(Collective::bcast, 64, 64 << 10);
  EXPECT_TRUE(has(text, " has less latency")) << text;
  EXPECT_TRUE(has(text, " less to move")) << text;
}

TEST(Reason, SaysWhoTakesAsLong) {
  const std::string text = why(Collective::allgather, 8, 1 << 20);
  EXPECT_TRUE(has(text, "take as long")) << text;
}

TEST(Reason, OnNodes) {
  const std::string few = why_on("4x4", Collective::allreduce, 8);
  EXPECT_TRUE(has(few, "least latency: at n = 8 latency is")) << few;
  EXPECT_FALSE(has(few, "lower bound")) << few;
}

// Both are asked with the same care: no part is more than the whole.
TEST(Reason, LatencyIsAPartOfAQuickLook) {
  const Machine machine = default_profile().machine_for();
  for (const char* const topology : {"8x8", "16x4", "3x5"})
    for (const Collective collective :
         {Collective::bcast, Collective::scan, Collective::allreduce}) {
      Problem problem = even_problem(collective, parse_topology(topology)->p(), 8);
      problem.topology = parse_topology(topology);
      for (const Prediction& each : predict(problem, machine, {}, Care::quick))
        if (each.valid()) {
          EXPECT_LE(latency_of(each, problem, 8, machine, Care::quick), each.seconds * 1.001)
              << topology << ' ' << each.algorithm->full_name();
        }
    }
}

TEST(Reason, WhereNothingIsSent) {
  EXPECT_EQ(why(Collective::allreduce, 1, 64), "nothing is to be sent");
  EXPECT_EQ(why(Collective::allreduce, 8, 0), "nothing is to be sent");
  EXPECT_TRUE(has(why(Collective::barrier, 8, 0), "least latency, 3 rounds;"));
}

// The two parts are the whole.
TEST(Reason, LatencyIsAPartOfTheTime) {
  Machine machine;
  machine.rates = default_profile().rates;
  const Problem problem = even_problem(Collective::allreduce, 24, 1 << 16);
  for (const Prediction& each : predict(Collective::allreduce, 24, 1 << 16, machine.rates))
    if (each.valid()) {
      EXPECT_GT(latency_of(each, problem, 1 << 16, machine, Care::thorough), 0)
          << each.algorithm->name;
      EXPECT_LT(latency_of(each, problem, 1 << 16, machine, Care::thorough), each.seconds)
          << each.algorithm->name;
    }
}

}  // namespace
}  // namespace tutti::core
