// An algorithm of the registry as a step of another: ranks, buffers and scratch are mapped.

#include "algorithms/pattern/inner.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr Slice out(std::size_t offset, std::size_t count) {
  return {Buffer::output, offset, count};
}
constexpr Slice in(std::size_t offset, std::size_t count) { return {Buffer::input, offset, count}; }

const Algorithm& named(std::string_view name) { return *parse_request(name).algorithm; }

TEST(Inner, MapsRanksBuffersAndScratch) {
  // The last of three, of four elements that stand in two pieces, the second before the first.
  Builder b;
  b.scratch(10);
  const Group g({7, 5, 2}, 2);
  Inner(named("allgather/bruck"), {})(b, g, {.count = 4}, {in(6, 3), in(0, 1)},
                                      {out(20, 6), out(0, 6)});
  const Schedule& schedule = b.schedule();
  EXPECT_EQ(schedule.scratch, 10u + 12u);
  for (const Action& action : schedule.actions) {
    if (action.is_message()) {
      EXPECT_TRUE(action.peer == 7 || action.peer == 5);
    }
    for (const Slice& slice : schedule.slices_of(action)) {
      if (slice.buffer == Buffer::scratch) {
        EXPECT_GE(slice.offset, 10u);
        EXPECT_LE(slice.end(), 22u);
      } else {
        EXPECT_EQ(slice.buffer, Buffer::output);
        EXPECT_TRUE(slice.end() <= 6 || (slice.offset >= 20 && slice.end() <= 26));
      }
    }
  }
  // Its own block is the last third: elements 8 to 12 of the output, all in the second piece.
  const Action& first = schedule.actions[0];
  EXPECT_EQ(describe(schedule, first), "copy input[6..9)+input[0..1) to output[2..6)");
}

TEST(Inner, EqualsTheAlgorithmItselfWhereNothingIsMapped) {
  for (const char* name : {"allreduce/rabenseifner", "alltoall/bruck", "reduce/chain",
                           "barrier/dissemination", "exscan/recursive_doubling"}) {
    const Algorithm& algorithm = named(name);
    Problem problem = Problem::even(algorithm.collective, 6, 36);
    const Parameters parameters = algorithm.resolve(problem, {.alpha = 4, .beta = 1});
    for (Rank r = 0; r < problem.p; ++r) {
      const Call call = problem.call(r);
      Builder b;
      Inner(algorithm, parameters)(b, Group::all(6, r), call, {in(0, problem.input_count(r))},
                                   {out(0, problem.output_count(r))});
      EXPECT_EQ(b.schedule(), Generator(algorithm, call, parameters).schedule()) << name;
    }
  }
}

TEST(Inner, RefusesWhatLearnsAndBuffersThatAreTooShort) {
  Builder b;
  const Group g({0, 1, 2, 3, 4, 5, 6, 7}, 4);
  EXPECT_THROW(Inner(named("scatterv/binomial"), {})(b, g, {.count = 1}, {}, {out(0, 1)}),
               std::logic_error);
  EXPECT_THROW(
      Inner(named("allreduce/ring"), {})(b, g, {.in_place = true, .count = 8}, {}, {out(0, 7)}),
      std::logic_error);
}

TEST(Inner, PadsToEqualBlocks) {
  EXPECT_EQ(padded_source({in(0, 2), in(5, 1)}, 3), (Slices{in(0, 2), in(5, 1)}));
  EXPECT_EQ(count_of(padded_source({in(0, 2), in(5, 1)}, 8)), 8u);
  EXPECT_EQ(padded_source({}, 0), Slices{});
  Builder b;
  EXPECT_EQ(padded_target(b, {out(0, 2)}, 5), (Slices{out(0, 2), {Buffer::scratch, 0, 3}}));
  EXPECT_EQ(padded_target(b, {out(0, 2)}, 2), Slices{out(0, 2)});
  EXPECT_EQ(b.schedule().scratch, 3u);
}

}  // namespace
}  // namespace tutti::core
