// Two-shot allreduce: linear reduce-scatter, linear allgather.
//
// Moves and combines as little as any allreduce, and waits only twice: for ranks of one node. Where
// some ranks have no segment all is combined in rank order: one number as linear does, so that both
// give the same.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_two_shot(Builder& b, const Group& g, const Slice& vector, bool commutative) {
  const Blocks segments = split(vector, g.size());
  reduce_scatter_linear(b, g, segments,
                        commutative && vector.count >= static_cast<std::size_t>(g.size()));
  allgather_linear(b, g, segments);
}

}  // namespace

Rows allreduce_two_shot_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "linear reduce-scatter, linear allgather",
      .valid = any,
      .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
      .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::allreduce<allreduce_two_shot>,
  }};
}

}  // namespace tutti::core
