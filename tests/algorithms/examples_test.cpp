// The papers' own examples, action by action.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <bit>

#include "request/request.hpp"
#include "schedule/match.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

constexpr Rates rates{.alpha = 1, .beta = 0, .gamma = 0, .alpha_uni = 1, .beta_uni = 0};

std::vector<Schedule> schedules(const Problem& problem, const std::string& name) {
  const Request request = parse_request(name);
  const Parameters parameters = request.algorithm->resolve(problem, rates, request.parameters);
  EXPECT_TRUE(verify(problem, *request.algorithm, parameters).empty());
  return schedules_of(problem, *request.algorithm, parameters);
}

/// The rounds of a rank that communicate, with elements as letters: `>1:E-H` sends, `<1:A-D`
/// receives, `l1:A-D` and `r1:A-D` receive and combine, the incoming operand on the left or on the
/// right.
std::vector<std::string> rounds_of(const Schedule& schedule) {
  std::vector<std::string> rounds;
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    std::vector<std::string> actions;
    for (const Action& action : schedule.round(t)) {
      if (!action.is_message()) continue;
      std::string text = action.sends()              ? ">"
                         : action.kind == Kind::recv ? "<"
                         : action.side == Side::left ? "l"
                                                     : "r";
      text += fmt::format("{}:", action.peer);
      for (const Slice& slice : schedule.slices_of(action)) {
        text += static_cast<char>('A' + slice.offset);
        if (slice.count > 1) text += fmt::format("-{:c}", static_cast<char>('A' + slice.end() - 1));
      }
      actions.push_back(text);
    }
    if (!actions.empty()) rounds.push_back(fmt::format("{}", fmt::join(actions, " ")));
  }
  return rounds;
}

using Rounds = std::vector<std::string>;

// Figure 12 of Thakur, Rabenseifner, Gropp 2005. Ranks 0, 2, 4, 6, 8, 10, 11, 12 become 0..7.
TEST(Example, ThirteenProcessesByHalvingAndDoubling) {
  const std::vector<Rounds> expected = {
      {">1:E-H r1:A-D", "<1:E-H", ">2:E-H r2:A-D", ">4:C-D r4:A-B", ">8:B r8:A", ">8:A <8:B",
       ">4:A-B <4:C-D", ">2:A-D <2:E-H", ">1:A-H"},
      {">0:A-D l0:E-H", ">0:E-H", "<0:A-H"},
      {">3:E-H r3:A-D", "<3:E-H", ">0:A-D l0:E-H", ">6:G-H r6:E-F", ">10:F r10:E", ">10:E <10:F",
       ">6:E-F <6:G-H", ">0:E-H <0:A-D", ">3:A-H"},
      {">2:A-D l2:E-H", ">2:E-H", "<2:A-H"},
      {">5:E-H r5:A-D", "<5:E-H", ">6:E-H r6:A-D", ">0:A-B l0:C-D", ">11:D r11:C", ">11:C <11:D",
       ">0:C-D <0:A-B", ">6:A-D <6:E-H", ">5:A-H"},
      {">4:A-D l4:E-H", ">4:E-H", "<4:A-H"},
      {">7:E-H r7:A-D", "<7:E-H", ">4:A-D l4:E-H", ">2:E-F l2:G-H", ">12:H r12:G", ">12:G <12:H",
       ">2:G-H <2:E-F", ">4:E-H <4:A-D", ">7:A-H"},
      {">6:A-D l6:E-H", ">6:E-H", "<6:A-H"},
      {">9:E-H r9:A-D", "<9:E-H", ">10:E-H r10:A-D", ">11:C-D r11:A-B", ">0:A l0:B", ">0:B <0:A",
       ">11:A-B <11:C-D", ">10:A-D <10:E-H", ">9:A-H"},
      {">8:A-D l8:E-H", ">8:E-H", "<8:A-H"},
      {">8:A-D l8:E-H", ">12:G-H r12:E-F", ">2:E l2:F", ">2:F <2:E", ">12:E-F <12:G-H",
       ">8:E-H <8:A-D"},
      {">12:E-H r12:A-D", ">8:A-B l8:C-D", ">4:C l4:D", ">4:D <4:C", ">8:C-D <8:A-B",
       ">12:A-D <12:E-H"},
      {">11:A-D l11:E-H", ">10:E-F l10:G-H", ">6:G l6:H", ">6:H <6:G", ">10:G-H <10:E-F",
       ">11:E-H <11:A-D"}};
  const Problem problem{
      .collective = Collective::allreduce, .p = 13, .count = 8, .commutative = false};
  const auto all = schedules(problem, "allreduce/rabenseifner");
  for (Rank r = 0; r < 13; ++r) EXPECT_EQ(rounds_of(all[r]), expected[r]) << "rank " << r;
}

// Figure 13: blocks of 8, 4 and 1 ranks. In the third exchange of the largest block P0 sends B,
// receives A.
TEST(Example, ThirteenProcessesByBinaryBlocks) {
  const std::vector<Rounds> expected = {
      {">1:E-H r1:A-D", ">2:C-D r2:A-B", ">4:B r4:A", "r8:A", ">8:A", ">4:A <4:B", ">2:A-B <2:C-D",
       ">1:A-D <1:E-H"},
      {">0:A-D l0:E-H", ">3:G-H r3:E-F", ">5:F r5:E", "r9:E", ">9:E", ">5:E <5:F", ">3:E-F <3:G-H",
       ">0:E-H <0:A-D"},
      {">3:E-H r3:A-D", ">0:A-B l0:C-D", ">6:D r6:C", "r10:C", ">10:C", ">6:C <6:D",
       ">0:C-D <0:A-B", ">3:A-D <3:E-H"},
      {">2:A-D l2:E-H", ">1:E-F l1:G-H", ">7:H r7:G", "r11:G", ">11:G", ">7:G <7:H",
       ">1:G-H <1:E-F", ">2:E-H <2:A-D"},
      {">5:E-H r5:A-D", ">6:C-D r6:A-B", ">0:A l0:B", "r8:B", ">8:B", ">0:B <0:A", ">6:A-B <6:C-D",
       ">5:A-D <5:E-H"},
      {">4:A-D l4:E-H", ">7:G-H r7:E-F", ">1:E l1:F", "r9:F", ">9:F", ">1:F <1:E", ">7:E-F <7:G-H",
       ">4:E-H <4:A-D"},
      {">7:E-H r7:A-D", ">4:A-B l4:C-D", ">2:C l2:D", "r10:D", ">10:D", ">2:D <2:C",
       ">4:C-D <4:A-B", ">7:A-D <7:E-H"},
      {">6:A-D l6:E-H", ">5:E-F l5:G-H", ">3:G l3:H", "r11:H", ">11:H", ">3:H <3:G",
       ">5:G-H <5:E-F", ">6:E-H <6:A-D"},
      {">9:E-H r9:A-D", ">10:C-D r10:A-B", "r12:A-B", ">0:A >4:B", "<0:A <4:B", ">10:A-B <10:C-D",
       ">12:A-D", ">9:A-D <9:E-H"},
      {">8:A-D l8:E-H", ">11:G-H r11:E-F", "r12:E-F", ">1:E >5:F", "<1:E <5:F", ">11:E-F <11:G-H",
       ">12:E-H", ">8:E-H <8:A-D"},
      {">11:E-H r11:A-D", ">8:A-B l8:C-D", "r12:C-D", ">2:C >6:D", "<2:C <6:D", ">8:C-D <8:A-B",
       ">11:A-D <11:E-H"},
      {">10:A-D l10:E-H", ">9:E-F l9:G-H", "r12:G-H", ">3:G >7:H", "<3:G <7:H", ">9:G-H <9:E-F",
       ">10:E-H <10:A-D"},
      {">8:A-B >9:E-F >10:C-D >11:G-H", "<8:A-D <9:E-H"}};
  const Problem problem{
      .collective = Collective::allreduce, .p = 13, .count = 8, .commutative = false};
  const auto all = schedules(problem, "allreduce/binary_blocks");
  for (Rank r = 0; r < 13; ++r) EXPECT_EQ(rounds_of(all[r]), expected[r]) << "rank " << r;
}

/// What stands at an element: the rank it came from and its index there.
std::pair<Rank, std::size_t> value_at(const std::vector<Held>& held, Buffer buffer,
                                      std::size_t at) {
  for (const Held& each : held)
    if (each.where.buffer == buffer && at >= each.where.offset && at < each.where.end())
      return {each.ranks.front(), each.index + at - each.where.offset};
  return {-1, 0};
}

// Figure 2: what each of six processes has collected, from the top of its buffer.
TEST(Example, SixProcessBruckAllgather) {
  const Problem problem{.collective = Collective::allgather, .p = 6, .count = 1};
  const auto all = schedules(problem, "allgather/bruck");
  const auto held = held_after_steps(problem, all);
  const std::vector<std::vector<std::string>> figure = {
      {"0", "1", "2", "3", "4", "5"},
      {"01", "12", "23", "34", "45", "50"},
      {"0123", "1234", "2345", "3450", "4501", "5012"},
      {"012345", "123450", "234501", "345012", "450123", "501234"}};
  ASSERT_EQ(held.size(), figure.size());
  for (std::size_t step = 0; step < figure.size(); ++step)
    for (Rank r = 0; r < 6; ++r) {
      std::string column;
      for (std::size_t slot = 0; slot < 6; ++slot) {
        const Rank from = value_at(held[step][r], Buffer::scratch, slot).first;
        if (from >= 0) column += fmt::format("{}", from);
      }
      EXPECT_EQ(column, figure[step][r]) << "step " << step << ", rank " << r;
    }
}

// Figure 7, typed from the paper: row j of a table is slot j of P0 to P5.
TEST(Example, SixProcessBruckAlltoall) {
  const std::vector<std::vector<std::string>> figure = {
      {"00 11 22 33 44 55", "01 12 23 34 45 50", "02 13 24 35 40 51", "03 14 25 30 41 52",
       "04 15 20 31 42 53", "05 10 21 32 43 54"},
      {"00 11 22 33 44 55", "50 01 12 23 34 45", "02 13 24 35 40 51", "52 03 14 25 30 41",
       "04 15 20 31 42 53", "54 05 10 21 32 43"},
      {"00 11 22 33 44 55", "50 01 12 23 34 45", "40 51 02 13 24 35", "30 41 52 03 14 25",
       "04 15 20 31 42 53", "54 05 10 21 32 43"},
      {"00 11 22 33 44 55", "50 01 12 23 34 45", "40 51 02 13 24 35", "30 41 52 03 14 25",
       "20 31 42 53 04 15", "10 21 32 43 54 05"}};
  const Problem problem{.collective = Collective::alltoall, .p = 6, .count = 1};
  const auto all = schedules(problem, "alltoall/bruck");
  const auto held = held_after_steps(problem, all);
  ASSERT_EQ(held.size(), figure.size());
  for (unsigned step = 0; step < figure.size(); ++step)
    for (unsigned slot = 0; slot < 6; ++slot) {
      // Each time a slot travels it changes between the two areas of the scratch.
      const unsigned area = std::popcount(slot & ((1u << step) - 1)) % 2;
      std::vector<std::string> row;
      for (Rank r = 0; r < 6; ++r) {
        const auto [from, to] = value_at(held[step][r], Buffer::scratch, area * 6 + slot);
        row.push_back(fmt::format("{}{}", from, to));
      }
      EXPECT_EQ(fmt::format("{}", fmt::join(row, " ")), figure[step][slot])
          << "step " << step << ", slot " << slot;
    }
  for (Rank r = 0; r < 6; ++r)
    for (Rank from = 0; from < 6; ++from)
      EXPECT_EQ(value_at(held.back()[r], Buffer::output, from),
                (std::pair<Rank, std::size_t>{from, r}));
}

// Figure 3 of Träff et al. 2008: equation (1) gives 11 rounds, equidistant empty processes 9. The
// figure fixes b = 12 and a gain of 2: two processes of 4 blocks each, with two empty ones before
// each of them.
TEST(Example, PipelinedRingWithEquidistantEmptyProcesses) {
  Problem problem{.collective = Collective::allgatherv, .p = 6};
  problem.counts = {4, 4, 0, 0, 0, 0};
  const auto all = schedules(problem, "allgatherv/pipelined_ring:segment=1");
  EXPECT_EQ(steps_of(all, match(all)).count, 9);
  const int b = 4 + 4 + 1 + 1 + 1 + 1;
  EXPECT_EQ(b - 1, 11);
}

// Section 2.3: b - z - 1 + floor(z / (p - z)) rounds if every full rank has more blocks than empty
// ranks before it, and b - min b_i without empty ranks.
TEST(Example, PipelinedRingRounds) {
  for (const int p : {2, 3, 5, 8, 13})
    for (int z = 0; z < p; ++z)
      for (const int blocks : {13, 17}) {
        Problem problem{.collective = Collective::allgatherv, .p = p};
        problem.counts.assign(p, 0);
        for (int i = 0; i < p - z; ++i) problem.counts[i] = blocks;
        const auto all = schedules(problem, "allgatherv/pipelined_ring:segment=1");
        const int b = (p - z) * blocks + z;
        const int paper = z == 0 ? b - blocks : b - z - 1 + z / (p - z);
        const int steps = steps_of(all, match(all)).count;
        // The paper rounds the empty ranks between two others down; one more costs one round more.
        if (z == 0 || z % (p - z) == 0)
          EXPECT_EQ(steps, paper) << "p = " << p << ", z = " << z;
        else
          EXPECT_LE(steps, paper + 1) << "p = " << p << ", z = " << z;
      }
}

}  // namespace
}  // namespace tutti::core
