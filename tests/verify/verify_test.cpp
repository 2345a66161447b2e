// The verifier objects, and says where.

#include "verify/verify.hpp"

#include <gtest/gtest.h>

namespace tutti::core {
namespace {

constexpr Slice all{Buffer::output, 0, 4};
constexpr Slice mine{Buffer::input, 0, 4};

/// The only finding, or a test failure.
Finding finding(const Problem& problem, std::vector<Builder>& builders) {
  std::vector<Schedule> schedules;
  for (Builder& builder : builders) schedules.push_back(builder.take());
  const auto findings = verify(problem, schedules, "test/example");
  EXPECT_FALSE(findings.empty());
  return findings.empty() ? Finding{} : findings.front();
}

bool says(const Finding& finding, std::string_view words) {
  return finding.describe().find(words) != std::string::npos;
}

const Problem bcast{.collective = Collective::bcast, .p = 2, .count = 4};

TEST(Verify, ProvesAnExchange) {
  std::vector<Builder> b(2);
  for (Rank r : {0, 1}) {
    b[r].copy(mine, all);
    b[r].round();
    const Slice other = b[r].scratch(4);
    b[r].send(all, 1 - r);
    b[r].recv(other, 1 - r);
    b[r].round();
    b[r].reduce(other, all, r == 0 ? Side::right : Side::left);
  }
  std::vector<Schedule> schedules{b[0].take(), b[1].take()};
  const Problem problem{
      .collective = Collective::allreduce, .p = 2, .count = 4, .commutative = false};
  EXPECT_TRUE(verify(problem, schedules).empty());
  // The other side is another order, and another expression than rank 0's.
  schedules[1].actions.back().side = Side::right;
  EXPECT_TRUE(says(verify(problem, schedules).front(), "in order"));
  Problem commutes = problem;
  commutes.commutative = true;
  EXPECT_TRUE(says(verify(commutes, schedules).front(), "another expression than rank 0"));
}

TEST(Verify, NamesAMissingMessage) {
  std::vector<Builder> b(2);
  b[1].recv(all, 0);
  const Finding found = finding(bcast, b);
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.round, 0);
  EXPECT_EQ(found.action, 0);
  EXPECT_EQ(
      found.describe(),
      "test/example, p = 2, rank 1, round 0, action 0: waits for ever: recv output[0..4) from 0");
}

TEST(Verify, NamesAWrongSize) {
  std::vector<Builder> b(2);
  b[0].send(all.part(0, 3), 1);
  b[1].recv(all, 0);
  EXPECT_TRUE(says(finding(bcast, b), "expects 4 elements, but rank 0 sends 3"));
}

TEST(Verify, NamesWrongDataByIndex) {
  std::vector<Builder> b(2);
  b[0].send(Slices{all.part(0, 2), all.part(3, 1), all.part(2, 1)}, 1);
  b[1].recv(all, 0);
  const Finding found = finding(bcast, b);
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.index, 2);
}

TEST(Verify, SendsAreSynchronous) {
  const Problem problem{.collective = Collective::allgather, .p = 2, .count = 2};
  std::vector<Builder> b(2);
  for (Rank r : {0, 1}) {  // both send first, then receive: right only if somebody buffers
    b[r].copy(Slice{Buffer::input, 0, 2}, Slice{Buffer::output, 2u * r, 2});
    b[r].round();
    b[r].send(Slice{Buffer::input, 0, 2}, 1 - r);
    b[r].round();
    b[r].recv(Slice{Buffer::output, 2u * (1 - r), 2}, 1 - r);
  }
  EXPECT_TRUE(says(finding(problem, b), "waits for ever"));
}

TEST(Verify, ObjectsToARoundThatReadsWhatItWrites) {
  std::vector<Builder> b(2);
  for (Rank r : {0, 1}) {
    b[r].copy(mine, all);
    b[r].round();
    b[r].send(all, 1 - r);
    b[r].recv_reduce(all, 1 - r, r == 0 ? Side::right : Side::left);
  }
  const Problem problem{.collective = Collective::allreduce, .p = 2, .count = 4};
  EXPECT_TRUE(says(finding(problem, b), "of the same round"));
}

TEST(Verify, AllowsAFlatReductionInTheOrderListed) {
  const Problem problem{.collective = Collective::reduce, .p = 3, .count = 4, .commutative = false};
  const auto run = [&](Rank first, Rank second) {
    std::vector<Builder> b(3);
    b[0].copy(mine, all);
    b[0].round();
    b[0].recv_reduce(all, first, Side::right);
    b[0].recv_reduce(all, second, Side::right);
    for (Rank r : {1, 2}) b[r].send(mine, 0);
    return verify(problem, {b[0].take(), b[1].take(), b[2].take()});
  };
  EXPECT_TRUE(run(1, 2).empty());
  EXPECT_FALSE(run(2, 1).empty());
}

TEST(Verify, ObjectsToWhatIsNobodysBusiness) {
  {  // the input is read only
    std::vector<Builder> b(1);
    b[0].copy(mine, all);
    b[0].round();
    b[0].copy(all, mine);
    EXPECT_TRUE(says(finding({.collective = Collective::scan, .p = 1, .count = 4}, b),
                     "writes to the input"));
  }
  {  // exscan leaves rank 0's output alone
    std::vector<Builder> b(1);
    b[0].copy(mine, all);
    EXPECT_TRUE(says(finding({.collective = Collective::exscan, .p = 1, .count = 4}, b),
                     "not its business"));
  }
  {  // outside the buffer
    std::vector<Builder> b(1);
    b[0].copy(mine, Slice{Buffer::output, 1, 4});
    EXPECT_TRUE(says(finding({.collective = Collective::scan, .p = 1, .count = 4}, b),
                     "ends outside the buffer"));
  }
  {  // outside the scratch that is declared
    std::vector<Builder> b(1);
    b[0].copy(mine, Slice{Buffer::scratch, 0, 4});
    EXPECT_TRUE(says(finding({.collective = Collective::scan, .p = 1, .count = 4}, b),
                     "ends outside the buffer of 0 elements"));
  }
  {  // a rank that does not exist
    std::vector<Builder> b(2);
    b[0].send(all, 2);
    EXPECT_TRUE(says(finding(bcast, b), "there is no rank 2"));
  }
  {  // scratch that nobody has written
    std::vector<Builder> b(2);
    b[0].send(b[0].scratch(4), 1);
    b[1].recv(all, 0);
    EXPECT_TRUE(says(finding(bcast, b), "nobody has written"));
  }
}

TEST(Verify, ACountedContributionMustNotBeCountedTwice) {
  const Problem problem{.collective = Collective::reduce, .p = 2, .count = 4};
  std::vector<Builder> b(2);
  b[0].copy(mine, all);
  b[0].round();
  b[0].recv_reduce(all, 1, Side::right);
  b[0].recv_reduce(all, 1, Side::right);
  b[1].send(mine, 0);
  b[1].send(mine, 0);
  EXPECT_TRUE(says(finding(problem, b), "each once"));
}

TEST(Verify, NobodyLeavesABarrierBeforeAllHaveEntered) {
  const Problem problem{.collective = Collective::barrier, .p = 3};
  std::vector<Builder> b(3);
  for (Rank r : {0, 1, 2}) {  // one round of dissemination is not enough for three
    b[r].signal((r + 1) % 3);
    b[r].await((r + 2) % 3);
  }
  EXPECT_TRUE(says(finding(problem, b), "before rank 1 has entered"));
}

TEST(Verify, HoldsAfterEachStep) {
  std::vector<Builder> b(2);
  b[0].send(all, 1);
  b[1].recv(all, 0);
  const auto held = held_after_steps(bcast, {b[0].take(), b[1].take()});
  ASSERT_EQ(held.size(), 2u);
  EXPECT_TRUE(held[0][1].empty());
  ASSERT_EQ(held[1][1].size(), 1u);
  EXPECT_EQ(held[1][1][0].where, all);
  EXPECT_EQ(held[1][1][0].ranks, std::vector<Rank>{0});
}

}  // namespace
}  // namespace tutti::core
