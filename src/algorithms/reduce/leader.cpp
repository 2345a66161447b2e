// Leader reduction: inside each node to its leader, then over the leaders.
//
// The root is its node's leader. A leader combines its node's vectors in rank order.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Nodes nodes(topology, c.rank, c.root);
  const bool is_root = c.rank == c.root;
  Slice vector{c.source(), 0, c.count};
  if (is_root || (nodes.leads() && nodes.node.size() > 1)) {
    const Slice mine = is_root ? Slice{Buffer::output, 0, c.count} : b.scratch(c.count);
    b.round();
    if (!c.in_place) b.copy(vector, mine);
    vector = mine;
  }
  reduce_linear(b, nodes.node, nodes.leader, {vector});
  if (nodes.leads())
    inner(b, nodes.leaders,
          {.root = topology.node_of(c.root),
           .in_place = is_root,
           .commutative = c.commutative,
           .element_bytes = c.element_bytes,
           .count = c.count},
          {vector}, {vector});
}

}  // namespace

Rows reduce_leader_rows() {
  using namespace terms;
  return over_leaders(
      {
          .collectives = {Collective::reduce},
          .summary = "inside each node to its leader, then over the leaders",
          .valid = ordered_nodes,
          .rounds = {"1 + inner", nullptr},
          .cost = {"(s-1) (alpha_uni + n beta_uni + n gamma) + inner, s ranks on the largest node",
                   nullptr},
          .scratch = {"at most n, and what the inner one needs", vector},
          .source = smp_source,
          .generate = adapt::over_nodes<reduce_leader, Collective::reduce>,
      },
      {Collective::reduce, between_leaders});
}

}  // namespace tutti::core
