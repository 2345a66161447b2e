#include "measure/arrivals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tutti::core {
namespace {

constexpr std::int64_t ms = 1000000;

/// One call: when each rank came, and how long it stayed, in milliseconds.
std::vector<std::vector<Arrival>> call(const std::vector<std::pair<int, int>>& ranks, int root) {
  std::vector<std::vector<Arrival>> all;
  for (const auto& [begin, time] : ranks) all.push_back({{1, begin * ms, time * ms, root}});
  return all;
}

/// In milliseconds.
std::vector<double> waited(Collective collective, const std::vector<std::pair<int, int>>& ranks,
                           int root = 0) {
  std::vector<double> result = waiting_of(collective, call(ranks, root)).waited;
  for (double& each : result) each = std::round(each * 1e6) / 1e3;
  return result;
}

using Numbers = std::vector<double>;

TEST(Waiting, IsForTheLastRank) {
  EXPECT_EQ(waited(Collective::allreduce, {{0, 12}, {10, 2}, {4, 9}}), (Numbers{10, 0, 6}));
  EXPECT_EQ(waited(Collective::barrier, {{0, 12}, {10, 2}, {4, 9}}), (Numbers{10, 0, 6}));
  EXPECT_EQ(waited(Collective::alltoallv, {{7, 1}, {7, 1}}), (Numbers{0, 0}));
}

TEST(Waiting, IsNotLongerThanTheCall) {
  EXPECT_EQ(waited(Collective::allgather, {{0, 3}, {10, 2}}), (Numbers{3, 0}));
}

// Nobody needs the late rank 2 but the root that gathers from it.
TEST(Waiting, IsForThoseWhoseDataIsNeeded) {
  const std::vector<std::pair<int, int>> ranks{{0, 30}, {10, 30}, {20, 30}};
  EXPECT_EQ(waited(Collective::bcast, ranks, 1), (Numbers{10, 0, 0}));
  EXPECT_EQ(waited(Collective::scatter, ranks, 2), (Numbers{20, 10, 0}));
  EXPECT_EQ(waited(Collective::scatterv, ranks, 0), (Numbers{0, 0, 0}));
  EXPECT_EQ(waited(Collective::reduce, ranks, 1), (Numbers{0, 10, 0}));
  EXPECT_EQ(waited(Collective::gather, ranks, 0), (Numbers{20, 0, 0}));
  EXPECT_EQ(waited(Collective::gatherv, ranks, 2), (Numbers{0, 0, 0}));
  const std::vector<std::pair<int, int>> early{{20, 30}, {0, 30}, {10, 30}};
  EXPECT_EQ(waited(Collective::scan, early), (Numbers{0, 20, 10}));
  EXPECT_EQ(waited(Collective::exscan, ranks), (Numbers{0, 0, 0}));
}

TEST(Waiting, SaysForWhom) {
  const Waiting waiting = waiting_of(Collective::allreduce, call({{0, 12}, {10, 2}, {4, 9}}, 0));
  EXPECT_EQ(waiting.calls, 1u);
  EXPECT_NEAR(waiting.caused[1], 0.016, 1e-9);
  EXPECT_EQ(waiting.caused[0], 0);
  EXPECT_NEAR(waiting.time[0], 0.012, 1e-9);
}

// Ranks may lack some: only calls that all noted count, whatever stands between them.
TEST(Waiting, LeavesOutCallsThatSomeRankLacks) {
  const std::vector<std::vector<Arrival>> ranks{
      {{1, 0, 9, 0}, {3, 100, 9, 0}, {7, 200, 50, 0}, {9, 300, 9, 0}},
      {{3, 104, 9, 0}, {4, 150, 9, 0}, {7, 230, 20, 0}}};
  const Waiting waiting = waiting_of(Collective::allreduce, ranks);
  EXPECT_EQ(waiting.calls, 2u);
  EXPECT_NEAR(waiting.waited[0] * 1e9, 34, 1e-3);
  EXPECT_EQ(waiting.waited[1], 0);
  EXPECT_EQ(waiting_of(Collective::allreduce, {}).calls, 0u);
  EXPECT_EQ(waiting_of(Collective::allreduce, {{{1, 0, 9, 0}}, {}}).calls, 0u);
}

std::vector<std::uint64_t> kept(const Arrivals& arrivals) {
  std::vector<std::uint64_t> calls;
  for (const Arrival& each : arrivals.kept()) calls.push_back(each.call);
  return calls;
}

TEST(Arrivals, KeepsAllThatFit) {
  Arrivals arrivals(100);
  for (std::uint64_t i = 0; i < 100; ++i) arrivals.note({i, 0, 0, 0});
  EXPECT_EQ(arrivals.kept().size(), 100u);
  Arrivals nothing(0);
  nothing.note({1, 0, 0, 0});
  EXPECT_TRUE(nothing.kept().empty());
}

// All ranks keep the same, and a program that does two things in turns has both looked at.
TEST(Arrivals, KeepsAShareOfManyThatIsTheSameEverywhere) {
  Arrivals one(1024), other(1024);
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    one.note({i, static_cast<std::int64_t>(i), 1, 0});
    other.note({i, 5, 2, 0});
  }
  EXPECT_EQ(kept(one), kept(other));
  EXPECT_LE(one.kept().size(), 1024u);
  EXPECT_GE(one.kept().size(), 400u);
  std::size_t odd = 0, late = 0;
  for (const std::uint64_t call : kept(one)) {
    odd += call % 2;
    late += call >= 500000;
  }
  const std::size_t half = one.kept().size() / 2;
  EXPECT_NEAR(static_cast<double>(odd), static_cast<double>(half), 0.2 * static_cast<double>(half));
  EXPECT_NEAR(static_cast<double>(late), static_cast<double>(half),
              0.2 * static_cast<double>(half));
  EXPECT_TRUE(std::is_sorted(one.kept().begin(), one.kept().end(),
                             [](const Arrival& a, const Arrival& b) { return a.call < b.call; }));
}

TEST(Ranks, AreWrittenAsRuns) {
  EXPECT_EQ(format_ranks({0, 1, 2, 3}), "0-3");
  EXPECT_EQ(format_ranks({0, 2, 5, 6, 7}), "0,2,5-7");
  EXPECT_EQ(format_ranks({3, 2, 1}), "3,2,1");
  EXPECT_EQ(format_ranks({4}), "4");
  EXPECT_EQ(format_ranks({0, 2, 4, 6, 8, 10, 12, 14}), "0,2,4,6,8,10,... (8 ranks)");
}

}  // namespace
}  // namespace tutti::core
