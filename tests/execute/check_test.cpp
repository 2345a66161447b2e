#include "execute/check.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

/// Every rank's vector to every rank, which combines them in the order of `ranks`.
std::vector<Schedule> allreduce_in_order(const std::vector<Rank>& ranks, std::size_t count) {
  const Slice mine{Buffer::input, 0, count}, result{Buffer::output, 0, count};
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < static_cast<Rank>(ranks.size()); ++r) {
    Builder b;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const Rank from = ranks[i];
      if (from != r) b.send(mine, from);
      if (i == 0)
        from == r ? b.copy(mine, result) : b.recv(result, from);
      else
        from == r ? b.reduce(mine, result, Side::right) : b.recv_reduce(result, from, Side::right);
    }
    schedules.push_back(b.take());
  }
  return schedules;
}

/// Dissemination over `rounds` rounds: a barrier from ceil(lg p) on.
std::vector<Schedule> dissemination(int p, int rounds) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    for (int k = 0; k < rounds; ++k) {
      b.round();
      b.signal((r + (1 << k)) % p);
      b.await((r - (1 << k) + p) % p);
    }
    schedules.push_back(b.take());
  }
  return schedules;
}

TEST(Check, RankOrderMattersUnlessTheOperatorCommutes) {
  Problem problem{.collective = Collective::allreduce, .p = 4, .count = 3, .commutative = false};
  for (const bool synchronous : {true, false})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const CheckOptions options{seed, synchronous};
      problem.commutative = false;
      EXPECT_EQ(run_and_check(problem, allreduce_in_order({0, 1, 2, 3}, 3), options), "");
      EXPECT_EQ(run_and_check(problem, allreduce_in_order({0, 2, 1, 3}, 3), options),
                "rank 0: output[0] is wrong");
      problem.commutative = true;
      EXPECT_EQ(run_and_check(problem, allreduce_in_order({0, 2, 1, 3}, 3), options), "");
    }
}

TEST(Check, NothingElseMayBeTouched) {
  // Exscan leaves the first rank's output as it was.
  const Problem problem{.collective = Collective::exscan, .p = 2, .count = 1};
  const Slice mine{Buffer::input, 0, 1}, result{Buffer::output, 0, 1};
  Builder a, b;
  a.send(mine, 1);
  b.recv(result, 0);
  EXPECT_EQ(run_and_check(problem, {a.schedule(), b.schedule()}, {}), "");
  a.copy(mine, result);
  EXPECT_EQ(run_and_check(problem, {a.schedule(), b.schedule()}, {}), "rank 0: output[0] is wrong");
}

TEST(Check, NobodyLeavesABarrierBeforeAllHaveCome) {
  for (const int p : {2, 3, 4, 5, 8, 9}) {
    const Problem problem{.collective = Collective::barrier, .p = p};
    int enough = 0;
    while (1 << enough < p) ++enough;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(run_and_check(problem, dissemination(p, enough), {seed, true}), "");
      EXPECT_EQ(run_and_check(problem, dissemination(p, enough), {seed, false}), "");
      EXPECT_NE(run_and_check(problem, dissemination(p, enough - 1), {seed, false}), "");
    }
  }
}

TEST(Check, ReportsWhyAnExecutionFailed) {
  const Problem problem{.collective = Collective::bcast, .p = 2, .count = 2};
  Builder b;
  b.send(Slice{Buffer::output, 0, 2}, 1);
  EXPECT_EQ(run_and_check(problem, {b.take(), {}}, {}),
            "rank 0, round 0: send output[0..2) to 1 waits for ever");
}

}  // namespace
}  // namespace tutti::core
