// Leader allreduce: inside each node to its leader, over the leaders, and back into the nodes.
//
// A leader combines its node's vectors in rank order; the result is written once and read by all.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank);
  const Slice contribution{c.source(), 0, c.count}, result{Buffer::output, 0, c.count};
  if (nodes.leads()) {
    b.round();
    if (!c.in_place) b.copy(contribution, result);
    reduce_linear(b, nodes.node, nodes.leader, {result});
    inner(b, nodes.leaders,
          {.in_place = true,
           .commutative = c.commutative,
           .element_bytes = c.element_bytes,
           .count = c.count},
          {}, {result});
  } else {
    reduce_linear(b, nodes.node, nodes.leader, {contribution});
  }
  bcast_linear(b, nodes.node, nodes.leader, {result});
}

}  // namespace

Rows allreduce_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::allreduce},
          .summary = "inside each node to its leader, over the leaders, and back into the nodes",
          .valid = ordered_nodes,
          .rounds = {"2 + inner", nullptr},
          .cost =
              {"(s-1) (2 alpha_uni + 2n beta_uni + n gamma) + inner, s ranks on the largest node",
               nullptr},
          .scratch = {"what the inner one needs", none},
          .source = smp_source,
          .generate = adapt::over_nodes<allreduce_leader, Collective::allreduce>,
      },
      {Collective::allreduce, between_leaders});
}

}  // namespace tutti::core
