// Linear allgather: everyone sends its block to everyone, in one round.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

void allgather_linear(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) {
    b.send(blocks[r], g.at(wrap(r + i, p)));
    b.recv(blocks[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

Rows allgather_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgather, Collective::allgatherv},
      .summary = "everyone sends to everyone, one slice, one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::allgather<allgather_linear>,
  }};
}

}  // namespace tutti::core
