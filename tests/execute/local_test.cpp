#include "execute/local.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <stdexcept>

namespace tutti::core {
namespace {

constexpr Slice in(std::size_t offset, std::size_t count = 1) {
  return {Buffer::input, offset, count};
}
constexpr Slice out(std::size_t offset, std::size_t count = 1) {
  return {Buffer::output, offset, count};
}

std::vector<std::byte> bytes(const std::string& text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

std::string text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Elements are letters; `left op right` is 31 left + 7 right, which is neither commutative nor
/// associative: it shows every change of order.
void mix(const std::byte* left, const std::byte* right, std::byte* result, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    result[i] = static_cast<std::byte>(31 * std::to_integer<int>(left[i]) +
                                       7 * std::to_integer<int>(right[i]));
}

char mixed(char left, char right) { return static_cast<char>(31 * left + 7 * right); }

struct Outcome {
  bool done;
  std::string failure;
  std::vector<std::string> outputs;
};

Outcome run(std::vector<Schedule> schedules, const std::vector<LocalBuffers>& buffers,
            bool synchronous = true, std::uint64_t seed = 0) {
  LocalExecution execution(std::move(schedules),
                           {.reduction = mix, .seed = seed, .synchronous = synchronous});
  execution.start(buffers);
  while (execution.progress()) {
  }
  Outcome outcome{execution.done(), execution.failure(), {}};
  for (Rank r = 0; r < static_cast<Rank>(buffers.size()); ++r)
    outcome.outputs.push_back(text(execution.output(r)));
  return outcome;
}

std::vector<LocalBuffers> outputs(const std::vector<std::string>& texts) {
  std::vector<LocalBuffers> all;
  for (const std::string& one : texts) all.push_back({{}, bytes(one)});
  return all;
}

std::vector<Schedule> ring(int p) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < p; ++r) {
    Builder b;
    b.copy(in(0), out(r));
    for (int t = 0; t < p - 1; ++t) {
      b.round();
      b.send(out((r - t + p) % p), (r + 1) % p);
      b.recv(out((r - t - 1 + p) % p), (r - 1 + p) % p);
    }
    schedules.push_back(b.take());
  }
  return schedules;
}

TEST(LocalExecution, RunsARingInAnyOrder) {
  const int p = 5;
  std::vector<LocalBuffers> buffers;
  for (Rank r = 0; r < p; ++r)
    buffers.push_back({bytes(std::string(1, static_cast<char>('a' + r))), bytes("-----")});
  for (const bool synchronous : {true, false})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Outcome outcome = run(ring(p), buffers, synchronous, seed);
      EXPECT_TRUE(outcome.done);
      EXPECT_EQ(outcome.failure, "");
      EXPECT_EQ(outcome.outputs, std::vector<std::string>(p, "abcde"));
    }
}

TEST(LocalExecution, TheSeedDrawsTheOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LocalExecution execution(ring(4), {.seed = seed});
    execution.start(std::vector<LocalBuffers>(4, {bytes("x"), bytes("----")}));
    std::string order;
    do {
      for (Rank r = 0; r < 4; ++r)
        order += execution.done(r) ? 'd' : execution.entered(r) ? 'e' : '-';
    } while (execution.progress());
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10U);
}

TEST(LocalExecution, StartsAgain) {
  LocalExecution execution(ring(2), {});
  for (const std::string letters : {"ab", "xy"}) {
    execution.start(
        {{bytes(letters.substr(0, 1)), bytes("--")}, {bytes(letters.substr(1)), bytes("--")}});
    EXPECT_FALSE(execution.done());
    while (execution.progress()) {
    }
    EXPECT_TRUE(execution.done());
    EXPECT_EQ(text(execution.output(0)), letters);
  }
  EXPECT_THROW(execution.start({}), std::invalid_argument);
}

TEST(LocalExecution, ALateRankComesLast) {
  LocalExecution execution(ring(3), {.seed = 3, .synchronous = false, .late = 1});
  execution.start(std::vector<LocalBuffers>(3, {bytes("x"), bytes("---")}));
  while (execution.progress())
    if (!execution.entered(1)) {
      EXPECT_FALSE(execution.done(0) || execution.done(2));
    }
  EXPECT_TRUE(execution.done());
}

TEST(LocalExecution, SendsBeforeReceivesDeadlockOnlyIfSynchronous) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < 2; ++r) {
    Builder b;
    b.send(out(0), 1 - r);
    b.round();
    b.recv(out(1), 1 - r);
    schedules.push_back(b.take());
  }
  const auto buffers = outputs({"a-", "b-"});
  const Outcome synchronous = run(schedules, buffers, true);
  EXPECT_FALSE(synchronous.done);
  EXPECT_EQ(synchronous.failure, "rank 0, round 0: send output[0..1) to 1 waits for ever");
  const Outcome buffered = run(schedules, buffers, false);
  EXPECT_TRUE(buffered.done);
  EXPECT_EQ(buffered.outputs, (std::vector<std::string>{"ab", "ba"}));
}

TEST(LocalExecution, AnExchangeInOneRoundDoesNot) {
  std::vector<Schedule> schedules;
  for (Rank r = 0; r < 2; ++r) {
    Builder b;
    b.send(out(0), 1 - r);
    b.recv(out(1), 1 - r);
    schedules.push_back(b.take());
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(run(schedules, outputs({"a-", "b-"}), true, seed).outputs,
              (std::vector<std::string>{"ab", "ba"}));
}

TEST(LocalExecution, MessagesOfAPairKeepTheirOrder) {
  Builder a, b;
  a.send(out(0), 1);
  a.send(out(1), 1);
  a.round();
  a.send(out(2), 1);
  b.recv(out(0), 0);
  b.recv(out(1), 0);
  b.recv(out(2), 0);
  const std::vector<Schedule> schedules{a.take(), b.take()};
  for (const bool synchronous : {true, false})
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      EXPECT_EQ(run(schedules, outputs({"abc", "---"}), synchronous, seed).outputs[1], "abc");
}

TEST(LocalExecution, FlatReductionIsAppliedAsListed) {
  std::vector<Schedule> schedules(4);
  Builder root;
  root.recv(out(0), 1);
  root.recv_reduce(out(0), 2, Side::right);
  root.reduce(in(0), out(0), Side::left);
  root.recv_reduce(out(0), 3, Side::right);
  schedules[0] = root.take();
  std::vector<LocalBuffers> buffers{{bytes("a"), bytes("-")}};
  for (Rank r = 1; r < 4; ++r) {
    Builder b;
    b.send(in(0), 0);
    schedules[r] = b.take();
    buffers.push_back({bytes(std::string(1, static_cast<char>('a' + r))), {}});
  }
  const std::string expected(1, mixed(mixed('a', mixed('b', 'c')), 'd'));
  for (const bool synchronous : {true, false})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Outcome outcome = run(schedules, buffers, synchronous, seed);
      EXPECT_EQ(outcome.failure, "");
      EXPECT_EQ(outcome.outputs[0], expected);
    }
}

TEST(LocalExecution, ReducesOnTheSideAsked) {
  for (const Side side : {Side::left, Side::right}) {
    Builder a, b;
    a.send(out(0, 2), 1);
    b.recv_reduce(Slices{out(1), out(0)}, 0, side);
    const auto result = run({a.take(), b.take()}, outputs({"ab", "cd"})).outputs[1];
    const std::string left{mixed('b', 'c'), mixed('a', 'd')};
    const std::string right{mixed('c', 'b'), mixed('d', 'a')};
    EXPECT_EQ(result, side == Side::left ? left : right);
  }
}

TEST(LocalExecution, NamesAMessageOfTheWrongSize) {
  Builder a, b;
  a.send(out(0, 2), 1);
  b.recv(out(0, 3), 0);
  const std::vector<Schedule> schedules{a.take(), b.take()};
  for (const bool synchronous : {true, false})
    EXPECT_EQ(run(schedules, outputs({"abc", "---"}), synchronous).failure,
              "rank 1, round 0: recv output[0..3) from 0 gets 2 elements");
}

TEST(LocalExecution, NamesAMessageThatNobodyReceives) {
  Builder a;
  a.send(out(0), 1);
  const std::vector<Schedule> schedules{a.take(), {}};
  EXPECT_EQ(run(schedules, outputs({"a", "b"}), true).failure,
            "rank 0, round 0: send output[0..1) to 1 waits for ever");
  const Outcome buffered = run(schedules, outputs({"a", "b"}), false);
  EXPECT_EQ(buffered.failure, "rank 0: a message to 1 is never received");
  EXPECT_FALSE(buffered.done);
}

TEST(LocalExecution, NamesWhatIsOutsideABuffer) {
  const auto failure = [](auto write) {
    Builder b;
    write(b);
    return run({b.take()}, {{bytes("ab"), bytes("cd")}}).failure;
  };
  EXPECT_EQ(failure([](Builder& b) { b.copy(in(0, 3), out(0, 3)); }),
            "rank 0, round 0: copy input[0..3) to output[0..3) is outside the buffer");
  EXPECT_NE(failure([](Builder& b) { b.copy(in(0), out(static_cast<std::size_t>(-1))); }), "");
  EXPECT_EQ(failure([](Builder& b) { b.copy(out(0), in(0)); }),
            "rank 0, round 0: copy output[0..1) to input[0..1) writes to the input");
  EXPECT_EQ(failure([](Builder& b) {
              b.copy(out(0), {Buffer::scratch, 0, 1});
            }),
            "rank 0, round 0: copy output[0..1) to scratch[0..1) is outside the buffer");
  EXPECT_EQ(failure([](Builder& b) { b.copy(in(0, 2), out(0)); }),
            "rank 0, round 0: copy input[0..2) to output[0..1) gets 2 elements");
  EXPECT_EQ(failure([](Builder& b) { b.send(out(0), 7); }),
            "rank 0, round 0: send output[0..1) to 7 has no such peer");
}

TEST(LocalExecution, SurvivesAScheduleThatPointsNowhere) {
  Schedule schedule;
  schedule.rounds = {0};
  schedule.actions = {{.kind = Kind::copy, .first = 3, .last = 9}};
  EXPECT_NE(run({schedule}, outputs({"a"})).failure, "");
  schedule.actions = {{.kind = Kind::copy, .first = 3, .last = 2}};
  EXPECT_NE(run({schedule}, outputs({"a"})).failure, "");
  schedule.rounds = {0, 5};
  EXPECT_NE(run({schedule}, outputs({"a"})).failure, "");
}

TEST(LocalExecution, ActionsOfARoundMustNotDisturbEachOther) {
  const auto failure = [](auto write) {
    Builder b, other;
    write(b);
    return run({b.take(), other.take()}, {{bytes("abcd"), bytes("efgh")}, {}}).failure;
  };
  EXPECT_EQ(failure([](Builder& b) {
              b.copy(in(0, 2), out(0, 2));
              b.copy(in(0, 2), out(2, 2));
            }),
            "");
  EXPECT_EQ(failure([](Builder& b) {
              b.copy(in(0, 2), out(0, 2));
              b.copy(in(0, 2), out(1, 2));
            }),
            "rank 0, round 0: copy input[0..2) to output[1..3) disturbs copy input[0..2) to "
            "output[0..2)");
  // Reading what another one writes.
  EXPECT_NE(failure([](Builder& b) {
              b.copy(in(0), out(0));
              b.copy(out(0), out(1));
            }),
            "");
  // A second write onto the same slices must combine ...
  EXPECT_NE(failure([](Builder& b) {
              b.copy(in(0), out(0));
              b.copy(in(1), out(0));
            }),
            "");
  EXPECT_EQ(failure([](Builder& b) {
              b.copy(in(0), out(0));
              b.reduce(in(1), out(0), Side::left);
            }),
            "");
  // ... and be onto exactly the same.
  EXPECT_NE(failure([](Builder& b) {
              b.copy(in(0, 2), out(0, 2));
              b.reduce(in(1), out(0), Side::left);
            }),
            "");
  EXPECT_NE(failure([](Builder& b) { b.copy(out(0, 2), out(1, 2)); }), "");
  // A long read that began before a short one, and a write behind that.
  EXPECT_NE(failure([](Builder& b) {
              b.copy(out(0, 4), b.scratch(4));
              b.copy(out(1), b.scratch(1));
              b.copy(in(0), out(3));
            }),
            "");
}

TEST(LocalExecution, AnEmptySliceDisturbsNothing) {
  Builder b;
  b.copy(in(0), out(0));
  b.reduce(in(1), out(0), Side::right);
  b.reduce(in(2), out(0), Side::right);
  Schedule schedule = b.take();
  for (Slice& slice : std::span(schedule.slices).first(2)) slice.count = 0;
  const Outcome outcome = run({schedule}, {{bytes("abc"), bytes("d")}});
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.outputs[0], std::string(1, mixed(mixed('d', 'b'), 'c')));
}

TEST(LocalExecution, NumbersStandInScratch) {
  Builder a, b;
  const std::vector<std::size_t> numbers{0x0102, 7};
  a.send(a.constants(numbers), 1);
  b.recv(out(0, 16), 0);
  const Outcome outcome = run({a.take(), b.take()}, outputs({"", std::string(16, '-')}));
  EXPECT_EQ(outcome.failure, "");
  EXPECT_EQ(outcome.outputs[1].substr(0, 3), std::string("\x02\x01\0", 3));
  EXPECT_EQ(outcome.outputs[1][8], 7);
}

TEST(LocalExecution, StagesLearnWhatArrived) {
  // Rank 0 says how much it will send; rank 1 knows only when it has heard.
  Algorithm algorithm{};
  algorithm.generate = [](Builder& b, const Call& call, const Parameters&) {
    if (call.rank == 0) {
      b.send(b.constants(std::vector<std::size_t>{call.count}), 1);
      b.round();
      b.send(out(0, call.count), 1);
      return;
    }
    const Slice header = b.scratch(8);
    b.recv(header, 0);
    b.learn(header, [](Builder& next, std::span<const std::size_t> learned) {
      const Slice more = next.scratch(learned[0]);
      next.recv(more, 0);
      next.round();
      next.copy(more, out(0, learned[0]));
    });
  };
  const Problem problem{.collective = Collective::bcast, .p = 2, .count = 3};
  LocalExecution execution(problem, algorithm, {}, {});
  for (int repeat = 0; repeat < 2; ++repeat) {
    execution.start(outputs({"abc", "---"}));
    while (execution.progress()) {
    }
    EXPECT_EQ(execution.failure(), "");
    EXPECT_EQ(text(execution.output(1)), "abc");
  }
}

TEST(LocalExecution, NoticesAReductionThatWritesTooMuch) {
  Builder b;
  b.reduce(in(0), out(0), Side::left);
  LocalExecution execution({b.take()},
                           {.reduction = [](const std::byte*, const std::byte*, std::byte* result,
                                            std::size_t count) { result[count] = std::byte{1}; }});
  execution.start({{bytes("a"), bytes("b")}});
  while (execution.progress()) {
  }
  EXPECT_EQ(execution.failure(), "rank 0, round 1: bytes outside a buffer were changed");
}

}  // namespace
}  // namespace tutti::core
