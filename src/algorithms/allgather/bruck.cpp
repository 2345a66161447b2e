// Bruck allgather (concatenation). Also allgatherv.
//
// Rank r collects blocks r, r+1, ... (mod p) from the top of its scratch on: all messages are
// contiguous, and one local shift at the end brings the blocks into order.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgather_bruck(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  std::vector<std::size_t> counts(p);
  for (int i = 0; i < p; ++i) counts[i] = blocks.count((r + i) % p);
  const Blocks held = Blocks::of(b.scratch(blocks.count(0, p)), counts);

  b.round();
  b.copy(blocks[r], held[0]);
  for (int distance = 1; distance < p; distance *= 2) {
    const int number = std::min(distance, p - distance);
    b.round();
    b.send(held.range(0, number), g.at(wrap(r - distance, p)));
    b.recv(held.range(distance, distance + number), g.at(wrap(r + distance, p)));
  }
  b.round();
  b.copy(held.range(1, p), blocks.circular((r + 1) % p, p - 1));
}

}  // namespace

Rows allgather_bruck_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "concatenation, local shift at the end",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha + (p-1)/p n beta", in_q_rounds},
      .scratch = {"n", [](const Problem& problem) { return problem.total(); }},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.1.2",
      .generate = adapt::allgather<allgather_bruck>,
  }};
}

}  // namespace tutti::core
