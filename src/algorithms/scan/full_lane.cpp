// Full-lane scan: each node's ranks scan a part of the vector each, an exclusive scan in each lane
// is put before, the nodes put the parts together. Also exscan.
//
// A lane is the ranks of one place of every node; all lanes work at once. The rank in lane j gets
// part j from all of its node and has the results of this part for all of them: so a part goes in
// and out once, whatever the number of ranks. s ranks on the largest node.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"

namespace tutti::core {

namespace {

void scan_in_lanes(Builder& b, const Call& c, const Topology& topology, const Inner& inner,
                   bool inclusive) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const int s = g.size(), place = g.rank();
  const int node = topology.node_of(c.rank);
  const bool first_node = node == 0, last_node = node == topology.nodes() - 1;
  const Blocks given = split({c.source(), 0, c.count}, lanes.number);
  const Blocks results = split({Buffer::output, 0, c.count}, lanes.number);
  const int before_own = inclusive ? 0 : 1;  // place i gets what places 0 to i - before_own make
  const auto gets = [&](int i) { return i >= before_own || !first_node; };

  // My part: what each place gives, then what the places up to it make.
  Slices up_to;
  b.round();
  for (int i = 0; i < s && lanes.carries(); ++i) {
    up_to.push_back(i + before_own == place ? results[lanes.mine]
                                            : b.scratch(results.count(lanes.mine)));
    if (i == place && !(inclusive && c.in_place)) b.copy(given[lanes.mine], up_to[i]);
  }
  b.round();
  for (int i = 1; i <= lanes.number; ++i) {  // scattered: not all to the first place at once
    const int lane = wrap(place + i, lanes.number);
    if (lane != place) b.send(given[lane], g.at(lane));
  }
  const auto receive_results = [&] {
    for (int lane = 0; lane < lanes.number && gets(place); ++lane)
      if (lane != place) b.recv(results[lane], g.at(lane));
  };
  if (!lanes.carries()) {
    b.round();
    return receive_results();
  }
  for (int i = 0; i < s; ++i)
    if (i != place) b.recv(up_to[i], g.at(i));
  for (int i = 1; i < s; ++i) {
    if (i == s - 1 && !inclusive && last_node) break;  // nobody needs this node's result
    b.round();
    b.reduce(up_to[i - 1], up_to[i], Side::left);
  }
  const Slice before = !inclusive && place == 0
                           ? results[lanes.mine]
                           : b.scratch(first_node ? 0 : results.count(lanes.mine));
  inner(b, lanes.lane,
        {.commutative = c.commutative,
         .element_bytes = c.element_bytes,
         .count = results.count(lanes.mine)},
        {up_to[s - 1]}, {before});
  b.round();
  for (int i = 0; i < s - before_own && !first_node; ++i) b.reduce(before, up_to[i], Side::left);
  b.round();
  for (int i = 1; i < s; ++i) {
    const int to = wrap(place + i, s);
    if (gets(to)) b.send(to < before_own ? before : up_to[to - before_own], g.at(to));
  }
  receive_results();
}

void scan_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  scan_in_lanes(b, c, topology, inner, true);
}

void exscan_full_lane(Builder& b, const Call& c, const Topology& topology, const Inner& inner) {
  if (c.p > 1) scan_in_lanes(b, c, topology, inner, false);
}

}  // namespace

Rows scan_full_lane_rows() {
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "each node's ranks scan a part each, an exclusive scan in each lane is put before",
      .valid = consecutive_nodes,
      .rounds = {"1 + inner + 1", nullptr},
      .cost = {"2 (s-1) (alpha + n/l beta) + (2s-1) n/l gamma + inner of n/l, l lanes", nullptr},
      .scratch = {"s n/l, and what the inner one needs",
                  [](const Problem& problem) {
                    return largest_node(problem) * in_lane(problem, {}).count;
                  }},
      .source = lane_source,
      .generate = adapt::over_nodes<scan_full_lane, Collective::exscan>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.generate = adapt::over_nodes<exscan_full_lane, Collective::exscan>;
  constexpr InnerProblem in_each_lane{Collective::exscan, exscan_in_lane};
  return {over_nodes(scan, in_each_lane).front(), over_nodes(exscan, in_each_lane).front()};
}

}  // namespace tutti::core
