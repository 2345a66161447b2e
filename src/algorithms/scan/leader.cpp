// Leader scan: inside each node, an exclusive scan of the nodes' results, which is put before. Also
// exscan.
//
// The last rank of a node has the node's result and speaks for it. s ranks on the largest node.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

/// The last ranks of the nodes, in their order.
Group last_ranks(const Topology& topology, Rank rank) {
  std::vector<Rank> ranks;
  for (int i = 0; i < topology.nodes(); ++i) ranks.push_back(topology.ranks_of(i).back());
  return {ranks, rank};
}

Call between(const Call& c) {
  return {.commutative = c.commutative, .element_bytes = c.element_bytes, .count = c.count};
}

void scan_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Group g(topology.ranks_of(topology.node_of(c.rank)), c.rank);
  const Group leaders = last_ranks(topology, c.rank);
  const int last = g.size() - 1, place = g.rank();
  const bool first_node = topology.node_of(c.rank) == 0;
  const Slice contribution = adapt::set_aside(b, c), result{Buffer::output, 0, c.count};
  b.round();
  if (!c.in_place) b.copy(contribution, result);
  b.round();
  for (int i = place + 1; i <= last; ++i) b.send(contribution, g.at(i));
  for (int i = place - 1; i >= 0; --i) b.recv_reduce(result, g.at(i), Side::left);
  if (place < last) {
    b.round();
    if (!first_node) b.recv_reduce(result, g.at(last), Side::left);
    return;
  }
  const Slice before = b.scratch(first_node ? 0 : c.count);
  inner(b, leaders, between(c), {result}, {before});
  if (first_node) return;
  b.round();
  for (int i = 0; i < last; ++i) b.send(before, g.at(i));
  b.reduce(before, result, Side::left);
}

void exscan_leader(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  const Group g(topology.ranks_of(topology.node_of(c.rank)), c.rank);
  const Group leaders = last_ranks(topology, c.rank);
  const int last = g.size() - 1, place = g.rank();
  const bool first_node = topology.node_of(c.rank) == 0;
  const Slice contribution = adapt::set_aside(b, c), result{Buffer::output, 0, c.count};
  b.round();
  for (int i = place + 1; i <= last; ++i) b.send(contribution, g.at(i));
  if (place > 0) b.recv(result, g.at(place - 1));
  b.round();
  for (int i = place - 2; i >= 0; --i) b.recv_reduce(result, g.at(i), Side::left);
  if (place < last) {
    b.round();
    if (first_node) return;
    return place == 0 ? b.recv(result, g.at(last)) : b.recv_reduce(result, g.at(last), Side::left);
  }
  Slice whole = contribution;
  if (place > 0 && leaders.rank() + 1 < leaders.size()) {  // somebody needs this node's result
    whole = b.scratch(c.count);
    b.round();
    b.copy(contribution, whole);
    b.round();
    b.reduce(result, whole, Side::left);
  }
  const Slice before = first_node || place == 0 ? result : b.scratch(c.count);
  inner(b, leaders, between(c), {whole}, {before});
  if (first_node) return;
  b.round();
  for (int i = 0; i < last; ++i) b.send(before, g.at(i));
  if (place > 0) b.reduce(before, result, Side::left);
}

}  // namespace

Rows scan_leader_rows() {
  using namespace terms;
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "inside each node, then an exclusive scan of the nodes' results is put before",
      .valid = consecutive_nodes,
      .rounds = {"2 + inner; exscan 3 + inner", nullptr},
      .cost =
          {"(s-1) (alpha + n beta + n gamma) + inner + (s-1) (alpha_uni + n beta_uni) + n gamma",
           nullptr},
      .scratch = {"at most 3n, and what the inner one needs",
                  [](const Problem& problem) { return 3 * vector(problem); }},
      .source = smp_source,
      .generate = adapt::over_nodes<scan_leader, Collective::exscan>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.generate = adapt::over_nodes<exscan_leader, Collective::exscan>;
  constexpr InnerProblem between{Collective::exscan, exscan_between_leaders};
  Rows rows = over_leaders(scan, between);
  for (const Row& row : over_leaders(exscan, between)) rows.push_back(row);
  return rows;
}

}  // namespace tutti::core
