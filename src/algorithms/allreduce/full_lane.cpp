// Full-lane allreduce: a reduce-scatter inside each node, an allreduce in each lane, an allgather
// inside each node.
//
// A lane is the ranks of one place of every node; all lanes work at once.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/lanes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Blocks given = split({c.source(), 0, c.count}, lanes.number);
  const Blocks parts = split({Buffer::output, 0, c.count}, lanes.number);
  b.round();
  if (lanes.carries() && !c.in_place) b.copy(given[lanes.mine], parts[lanes.mine]);
  reduce_to_lanes(b, lanes, one_by_one(given), {parts[lanes.mine]});
  if (lanes.carries())
    inner(b, lanes.lane,
          {.in_place = true,
           .commutative = c.commutative,
           .element_bytes = c.element_bytes,
           .count = parts.count(lanes.mine)},
          {}, {parts[lanes.mine]});
  gather_from_lanes(b, lanes, one_by_one(parts));
}

}  // namespace

Rows allreduce_full_lane_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::allreduce},
          .summary = "a reduce-scatter inside each node, an allreduce in each lane, an allgather "
                     "inside each node",
          .valid = ordered_nodes,
          .rounds = {"2 + inner", nullptr},
          .cost = {"2 (s-1) (alpha + n/l beta) + (s-1) n/l gamma + inner of n/l, l lanes", nullptr},
          .scratch = {"what the inner one needs", none},
          .source = lane_source,
          .generate = adapt::over_nodes<allreduce_full_lane, Collective::allreduce>,
      },
      {Collective::allreduce, in_lane});
}

}  // namespace tutti::core
