// A skeleton to copy: an algorithm, its row in the registry, and a proof. This one is a ring that
// goes both ways. docs/adding-an-algorithm.md tells where the parts go.

#include <fmt/format.h>

#include "algorithms/front.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/registry.hpp"
#include "model/profile.hpp"
#include "model/replay.hpp"
#include "verify/verify.hpp"

namespace tutti::core {
namespace {

// --- src/algorithms/allgather/two_way_ring.cpp --------------------------------------------------

// Ring allgather in both directions at once.
//
//   valid    any p
//   rounds   ceil((p-1)/2)
//   cost     (p-1) alpha + (p-1)/p n beta
//   scratch  none
//   source   a skeleton
//
// Always the same two neighbours: after round t rank r holds blocks r-t, ..., r+t (mod p). A single
// port gains nothing by it; two links do.
void allgather_two_way_ring(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  const int left = g.at(wrap(r - 1, p)), right = g.at(wrap(r + 1, p));
  for (int t = 1; t <= p / 2; ++t) {
    b.round();
    b.send(blocks[wrap(r - t + 1, p)], right);  // the newest block from the left
    b.recv(blocks[wrap(r - t, p)], left);
    if (2 * t == p) return;  // both ways lead to the same last block
    b.send(blocks[wrap(r + t - 1, p)], left);
    b.recv(blocks[wrap(r + t, p)], right);
  }
}

// --- its declaration goes into src/algorithms/algorithms.hpp, this row into registry.cpp --------

const Algorithm row{
    .collective = Collective::allgather,
    .name = "two_way_ring",
    .summary = "a ring in both directions at once",
    .valid = {},
    .rounds = {"ceil((p-1)/2)", [](const Size& s) { return s.p / 2; }},
    .cost = {"(p-1) alpha + (p-1)/p n beta",
             [](const Size& s, const Rates& rates) {
               return (s.p - 1) * (rates.alpha + s.n / s.p * rates.beta);
             }},
    .exact = Exact::everywhere,
    .scratch = {"none", [](const Problem&) -> std::size_t { return 0; }},
    .source = "a skeleton",
    .file = "allgather/two_way_ring.cpp",
    .parameters = {},
    .generate = front::allgather<allgather_two_way_ring>,
};

// ------------------------------------------------------------------------------------------------

/// What the tests do with every row of the registry, in short.
int prove() {
  for (int p = 1; p <= 64; ++p) {
    const Problem problem{.collective = Collective::allgather, .p = p, .count = 4};
    for (const Finding& finding : verify(problem, row, {})) {
      fmt::print("{}\n", finding.describe());
      return 1;
    }
    const std::vector<Schedule> schedules = schedules_of(problem, row, {});
    const int rounds = steps_of(schedules, match(schedules)).count;
    const int claimed = row.rounds.value({.p = p, .parameters = {}});
    if (rounds != claimed) {
      fmt::print("p = {}: {} rounds, {} claimed\n", p, rounds, claimed);
      return 1;
    }
  }
  fmt::print("{} is proved for p = 1 to 64\n", row.full_name());
  return 0;
}

}  // namespace
}  // namespace tutti::core

int main() { return tutti::prove(); }
