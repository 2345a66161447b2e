// Star allreduce: all send to rank 0, which combines in rank order and sends each the result.
//
// Fewest messages, and only one rank waits for others before it sends: for ranks that share cores.
// It computes the same expression as linear.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_star(Builder& b, const Group& g, const Slice& vector) {
  reduce_linear(b, g, 0, {vector});
  bcast_linear(b, g, 0, {vector});
}

}  // namespace

Rows allreduce_star_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "all send to rank 0, which combines in rank order and sends each the result",
      .valid = any,
      .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
      .cost = {"(p-1) (2 alpha_uni + 2 n beta_uni + n gamma)",
               [](S s, R r) { return (s.p - 1) * (2 * one_way(r, s.n) + s.n * r.gamma); }},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::allreduce<allreduce_star>,
  }};
}

}  // namespace tutti::core
