// A program keeps the order that rounds meant, and no more.

#include "execute/program.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/builder.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr std::size_t plenty = 1 << 20;

bool conflict(const Schedule& schedule, const Action& a, const Action& b) {
  const auto overlap = [&](std::span<const Slice> x, std::span<const Slice> y) {
    for (const Slice& i : x)
      for (const Slice& j : y)
        if (i.overlaps(j)) return true;
    return false;
  };
  const bool a_writes = !a.sends(), b_writes = !b.sends();
  return ((a_writes || b_writes) && overlap(schedule.slices_of(a), schedule.slices_of(b))) ||
         (a_writes && overlap(schedule.slices_of(a), schedule.sources_of(b))) ||
         (b_writes && overlap(schedule.sources_of(a), schedule.slices_of(b)));
}

/// For each vertex, all that begin only when it has ended, or, if they stream, when what they read
/// has come. Who waits for a vertex that streams relies on that vertex alone.
std::vector<std::vector<bool>> followers(const Program& program) {
  const std::size_t n = program.vertices.size();
  std::vector<std::vector<bool>> result(n, std::vector<bool>(n, false));
  for (std::size_t i = n; i-- > 0;)
    for (std::uint32_t e = program.vertices[i].first_after; e < program.vertices[i].last_after;
         ++e) {
      const std::uint32_t next = program.after[e].vertex;
      result[i][next] = true;
      if (program.after[e].wait == Program::Wait::to_stream) continue;
      for (std::size_t k = 0; k < n; ++k)
        if (result[next][k]) result[i][k] = true;
    }
  return result;
}

TEST(Program, OrdersWhateverConflicts) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {1, 2, 5, 8}) {
      const std::vector<Case> cases = proof_cases(algorithm, p);
      for (std::size_t c = 0; c < cases.size(); c += 7) {
        const auto schedules = schedules_of(cases[c].problem, algorithm, cases[c].parameters);
        for (const std::size_t room : {std::size_t{1}, plenty})
          for (const Schedule& schedule : schedules) {
            const Program program = compile(schedule, 0, room);
            const auto after = followers(program);
            ASSERT_EQ(program.vertices.size(), schedule.actions.size());
            for (std::size_t i = 0; i < schedule.actions.size(); ++i)
              for (std::size_t j = i + 1; j < schedule.actions.size(); ++j)
                if (conflict(schedule, schedule.actions[i], schedule.actions[j])) {
                  ASSERT_TRUE(after[i][j]) << algorithm.full_name() << ", p = " << p << ": "
                                           << describe(schedule, schedule.actions[i]) << " before "
                                           << describe(schedule, schedule.actions[j]);
                }
          }
      }
    }
}

TEST(Program, MessagesToAPeerKeepTheirOrder) {
  Builder b;
  for (int t = 0; t < 3; ++t) {
    b.round();
    b.send(Slice{Buffer::input, 0, 4}, 1);
  }
  const Program program = compile(b.schedule(), 0, plenty);
  EXPECT_EQ(program.queues, std::vector<std::uint32_t>{0});
  EXPECT_EQ(program.vertices[0].next_in_queue, 1u);
  EXPECT_EQ(program.vertices[1].next_in_queue, 2u);
  EXPECT_EQ(program.vertices[2].next_in_queue, Program::none);
}

TEST(Program, ReceivesOfLaterRoundsNeedNotWait) {
  Builder b;  // a ring: nothing that comes overwrites what is there
  for (int t = 0; t < 3; ++t) {
    b.round();
    b.send(Slice{Buffer::output, 4u * t, 4}, 1);
    b.recv(Slice{Buffer::output, 4u * (t + 1), 4}, 2);
  }
  const Program program = compile(b.schedule(), 0, plenty);
  // Nobody waits for a whole message: receives are only kept in order, and a later send follows
  // what comes.
  // Sends are tried first.
  EXPECT_EQ(program.start, (std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(program.vertices[1].next_in_queue, 3u);
  ASSERT_EQ(program.vertices[1].last_after - program.vertices[1].first_after, 1u);
  EXPECT_EQ(program.after[program.vertices[1].first_after].vertex, 2u);
  EXPECT_EQ(program.after[program.vertices[1].first_after].wait, Program::Wait::to_stream);
  EXPECT_EQ(program.sources, (std::vector<std::uint32_t>{1, 3}));
}

TEST(Program, WhoSendsToManyDoesNotStream) {
  Builder b;
  b.round();
  b.recv(Slice{Buffer::output, 0, 8}, 1);
  b.round();
  for (const Rank to : {2, 3}) b.send(Slice{Buffer::output, 0, 8}, to);
  const Program program = compile(b.schedule(), 0, plenty);
  EXPECT_TRUE(program.sources.empty());
  EXPECT_EQ(program.start, std::vector<std::uint32_t>{0});
  EXPECT_EQ(program.queues, (std::vector<std::uint32_t>{0, 1}));  // receives; all sends
}

TEST(Program, InStepARoundWaitsForTheOneBefore) {
  const auto start = [](Rank last_target) {
    Builder b;
    b.round();
    for (const Rank from : {1, 2}) b.recv(Slice{Buffer::output, 4u * from, 4}, from);
    b.round();
    b.send(Slice{Buffer::input, 0, 4}, 1);
    b.round();
    b.send(Slice{Buffer::input, 0, 4}, last_target);
    b.recv(Slice{Buffer::output, 12, 4}, 3);
    return compile(b.schedule(), 0, plenty, true).start;
  };
  EXPECT_EQ(start(2), (std::vector<std::uint32_t>{2, 3, 0, 1}));
  EXPECT_EQ(start(1), (std::vector<std::uint32_t>{2, 3, 0, 1, 4}));  // one target: it streams
}

TEST(Program, OnlySendsFromOnePieceOfMemoryStream) {
  const auto sources_of_last = [](auto&& last) {
    Builder b;
    b.round();
    b.recv(Slice{Buffer::output, 0, 8}, 1);
    b.recv(std::vector{Slice{Buffer::scratch, 0, 4}, Slice{Buffer::scratch, 8, 4}}, 2);
    b.round();
    last(b);
    const Program program = compile(b.schedule(), 0, plenty);
    return program.vertices.back().last_source - program.vertices.back().first_source;
  };
  EXPECT_EQ(sources_of_last([](Builder& b) { b.send(Slice{Buffer::output, 2, 4}, 3); }), 1u);
  EXPECT_EQ(sources_of_last([](Builder& b) { b.send(Slice{Buffer::scratch, 0, 4}, 3); }), 0u);
  EXPECT_EQ(sources_of_last([](Builder& b) {
              b.send(std::vector{Slice{Buffer::output, 0, 2}, Slice{Buffer::output, 4, 2}}, 3);
            }),
            0u);
  EXPECT_EQ(sources_of_last([](Builder& b) { b.recv(Slice{Buffer::output, 2, 4}, 3); }), 0u);
}

TEST(Program, StagingIsSharedOnlyBetweenRounds) {
  Builder b;
  for (int t = 0; t < 4; ++t) {
    b.round();
    for (Rank from : {1, 2}) b.recv_reduce(Slice{Buffer::output, 0, 8}, from, Side::right);
  }
  const Program tight = compile(b.schedule(), 0, 1);
  EXPECT_EQ(tight.staging, 16u);  // the two of a round, each with its own place
  EXPECT_NE(tight.vertices[0].staging, tight.vertices[1].staging);
  EXPECT_EQ(compile(b.schedule(), 0, plenty).staging, 64u);
}

}  // namespace
}  // namespace tutti::core
