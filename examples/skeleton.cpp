// Ring allgather in both directions at once.
//
// Always the same two neighbours: after round t rank r holds blocks r-t, ..., r+t (mod p). A single
// port gains nothing by it; two links do.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows allgather_two_way_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather},
      .summary = "a ring in both directions at once",
      .valid = any,
      .rounds = {"ceil((p-1)/2)", [](S s) { return s.p / 2; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none", none},
      .source = "a skeleton",
      .generate = adapt::allgather<allgather_two_way_ring>,
  }};
}

}  // namespace tutti::core
