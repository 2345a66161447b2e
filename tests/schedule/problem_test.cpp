#include "schedule/problem.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tutti::core {
namespace {

using Counts = std::vector<std::size_t>;

/// The message with which validate() refuses; empty if it does not.
std::string refusal(const Problem& problem) {
  try {
    problem.validate();
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Problem, NamesAreReadBack) {
  for (int i = 0; i < collective_count; ++i) {
    const auto c = static_cast<Collective>(i);
    EXPECT_EQ(collective_named(name_of(c)), c);
  }
  EXPECT_EQ(collective_named("bcasts"), std::nullopt);
}

TEST(Call, TellsEvenBlocksFromUneven) {
  Call call{.collective = Collective::allgatherv, .p = 4, .counts = {2, 4, 3, 3}};
  EXPECT_EQ(call.evenness(), Evenness::even);
  call.counts = {0, 9, 1, 2};
  EXPECT_EQ(call.evenness(), Evenness::uneven);
  call.counts = {1, 0, 0, 0};
  EXPECT_EQ(call.evenness(), Evenness::even) << "one element cannot be shared";
  call.counts = {};
  EXPECT_EQ(call.evenness(), Evenness::even);
  call.collective = Collective::scatterv;
  call.counts = {0, 9, 1, 2};
  EXPECT_EQ(call.evenness(), Evenness::any) << "only the root knows them";
}

TEST(Problem, EvenProblemsAreValid) {
  for (int i = 0; i < collective_count; ++i)
    for (const int p : {1, 2, 5})
      for (const std::size_t n : {0, 1, 12}) {
        const Problem problem = Problem::even(static_cast<Collective>(i), p, n);
        EXPECT_EQ(refusal(problem), "") << problem.describe();
      }
}

TEST(Problem, RefusesWhatIsImpossible) {
  EXPECT_EQ(refusal({.collective = Collective::bcast, .p = 0}),
            "bcast: p = 0, but there must be at least one rank");
  EXPECT_EQ(refusal({.collective = Collective::bcast, .p = 4, .root = 4}),
            "bcast: root 4 is not one of the ranks 0..3");
  EXPECT_NE(refusal({.collective = Collective::bcast, .p = 4, .root = -1}), "");
  EXPECT_EQ(refusal({.collective = Collective::scan, .p = 4, .root = 1}),
            "scan: this collective has no root");
  EXPECT_EQ(refusal({.collective = Collective::gatherv, .p = 4, .counts = {1, 2}}),
            "gatherv: 2 counts given, 4 needed");
  EXPECT_EQ(refusal({.collective = Collective::alltoallv, .p = 2, .counts = {1, 2}}),
            "alltoallv: 2 counts given, 4 needed");
  EXPECT_NE(refusal({.collective = Collective::gather, .p = 2, .counts = {1, 2}}), "");
  EXPECT_NE(refusal({.collective = Collective::scan, .p = 2, .element_bytes = 0}), "");
}

// 2^60 bytes in all, in blocks or lists of any kind.
TEST(Problem, RefusesSizesThatOverflow) {
  constexpr std::size_t most = std::size_t{1} << 60;
  EXPECT_EQ(refusal({.collective = Collective::bcast, .p = 4, .count = most}), "");
  const std::string message = ": more than 2^60 bytes in all: give smaller counts";
  EXPECT_EQ(refusal({.collective = Collective::bcast, .p = 4, .count = most + 1}),
            "bcast" + message);
  EXPECT_EQ(
      refusal({.collective = Collective::allreduce, .p = 4, .count = most / 4, .element_bytes = 8}),
      "allreduce" + message);
  EXPECT_EQ(refusal({.collective = Collective::allgather, .p = 4, .count = most / 4 + 1}),
            "allgather" + message);
  EXPECT_EQ(refusal({.collective = Collective::allgatherv, .p = 2, .counts = {most, most - 1}}),
            "allgatherv" + message);
}

TEST(Problem, RefusesInPlaceWhereItHasNoMeaning) {
  EXPECT_NE(refusal({.collective = Collective::scan, .p = 3, .in_place = {true}}), "");
  EXPECT_NE(refusal({.collective = Collective::bcast, .p = 2, .in_place = {true, false}}), "");
  EXPECT_EQ(refusal({.collective = Collective::reduce, .p = 2, .in_place = {false, true}}),
            "reduce: only the root may call in place");
  EXPECT_EQ(refusal({.collective = Collective::reduce, .p = 2, .in_place = {true, false}}), "");
  Problem exchange{.collective = Collective::alltoallv, .p = 2, .counts = {1, 2, 3, 4}};
  EXPECT_EQ(refusal(exchange), "");
  exchange.in_place = {true, false};
  EXPECT_EQ(refusal(exchange),
            "alltoallv: in place on rank 0, but it sends 2 elements to rank 1 and gets 3");
  exchange.counts = {1, 3, 3, 4};
  EXPECT_EQ(refusal(exchange), "");
}

TEST(Problem, BuffersHaveTheSizesOfTheDefinition) {
  const Problem gather{.collective = Collective::gatherv, .p = 3, .root = 1, .counts = {4, 0, 2}};
  EXPECT_EQ(gather.input_count(2), 2U);
  EXPECT_EQ(gather.output_count(1), 6U);
  EXPECT_EQ(gather.output_count(2), 0U);
  const Problem scatter{
      .collective = Collective::scatter, .p = 3, .count = 5, .in_place = {true, false, false}};
  EXPECT_EQ(scatter.input_count(0), 15U);
  EXPECT_EQ(scatter.output_count(0), 0U);
  EXPECT_EQ(scatter.input_count(1), 0U);
  EXPECT_EQ(scatter.output_count(1), 5U);
  const Problem exchange{.collective = Collective::alltoallw, .p = 2, .counts = {1, 2, 3, 4}};
  EXPECT_EQ(exchange.input_count(0), 3U);
  EXPECT_EQ(exchange.output_count(0), 4U);
  const Problem scattered{.collective = Collective::reduce_scatter,
                          .p = 2,
                          .counts = {1, 2},
                          .in_place = {true, false}};
  EXPECT_EQ(scattered.input_count(0), 0U);
  EXPECT_EQ(scattered.output_count(0), 3U);
  EXPECT_EQ(scattered.input_count(1), 3U);
  EXPECT_EQ(scattered.output_count(1), 2U);
}

TEST(Call, OnlyTheRootKnowsTheCountsOfScattervAndGatherv) {
  for (const Collective c : {Collective::scatterv, Collective::gatherv}) {
    const Problem problem{.collective = c, .p = 3, .root = 1, .counts = {4, 0, 2}};
    EXPECT_EQ(problem.call(1).counts, (Counts{4, 0, 2}));
    EXPECT_EQ(problem.call(0).counts, Counts{});
    EXPECT_EQ(problem.call(0).count, 4U);
    EXPECT_EQ(problem.call(2).count, 2U);
  }
}

TEST(Call, EveryoneKnowsTheCountsOfAllgathervAndReduceScatter) {
  for (const Collective c : {Collective::allgatherv, Collective::reduce_scatter}) {
    const Problem problem{.collective = c, .p = 3, .counts = {4, 0, 2}};
    for (Rank r = 0; r < 3; ++r) EXPECT_EQ(problem.call(r).counts, problem.counts);
    EXPECT_EQ(problem.call(2).blocks_in(Buffer::output)[2], (Slice{Buffer::output, 4, 2}));
    EXPECT_EQ(problem.call(0).total(), 6U);
  }
}

TEST(Call, AlltoallvKnowsItsRowAndItsColumnOnly) {
  const Problem problem{.collective = Collective::alltoallv, .p = 2, .counts = {1, 2, 3, 4}};
  const Call call = problem.call(1);
  EXPECT_EQ(call.send_counts, (Counts{3, 4}));
  EXPECT_EQ(call.recv_counts, (Counts{2, 4}));
  EXPECT_EQ(call.counts, Counts{});
  EXPECT_EQ(call.outgoing_in(Buffer::input)[1], (Slice{Buffer::input, 3, 4}));
  EXPECT_EQ(call.incoming_in(Buffer::output)[1], (Slice{Buffer::output, 2, 4}));
}

TEST(Call, KnowsOnlyItsOwnInPlaceFlag) {
  const Problem problem{
      .collective = Collective::allgather, .p = 2, .count = 3, .in_place = {true, false}};
  EXPECT_TRUE(problem.call(0).in_place);
  EXPECT_EQ(problem.call(0).source(), Buffer::output);
  EXPECT_FALSE(problem.call(1).in_place);
  EXPECT_EQ(problem.call(1).source(), Buffer::input);
}

TEST(Problem, DescribesItself) {
  Problem problem{.collective = Collective::reduce, .p = 5, .root = 2, .count = 8};
  EXPECT_EQ(problem.describe(), "reduce, p = 5, root 2, 8 elements");
  problem.commutative = false;
  problem.in_place = {false, false, true, false, false};
  EXPECT_EQ(problem.describe(),
            "reduce, p = 5, root 2, 8 elements, not commutative, in place on some ranks");
}

}  // namespace
}  // namespace tutti::core
