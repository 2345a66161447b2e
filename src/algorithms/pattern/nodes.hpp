#pragma once

#include <algorithm>
#include <memory>

#include "algorithms/asked.hpp"
#include "algorithms/claims.hpp"
#include "schedule/blocks.hpp"
#include "schedule/group.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// Without a topology all ranks share a node.
inline std::shared_ptr<const Topology> nodes_of(const std::shared_ptr<const Topology>& known,
                                                int p) {
  return known ? known : std::make_shared<const Topology>(Topology::one_node(p));
}
inline Leaders leaders_of(const Parameters& parameters) {
  const std::size_t* const number = value_of(parameters, ParameterKind::leaders);
  return number == nullptr ? Leaders{} : Leaders{*number};
}
/// With several leaders, each speaks for a part of its node: a domain, or as many ranks as others.
inline std::shared_ptr<const Topology> parts_of(const std::shared_ptr<const Topology>& nodes,
                                                Leaders leaders) {
  if (!leaders.number) return nodes;
  if (*leaders.number == Leaders::of_domains) return nodes->split_by_domain();
  return nodes->split(static_cast<int>(std::min<std::size_t>(*leaders.number, nodes->p())));
}

/// A topology as one rank sees it: its node, and who speaks for each. The root speaks for its node,
/// else the first rank.
struct Nodes {
  Nodes(const Topology& topology, Rank rank, Rank root = 0)
      : mine(topology.node_of(rank)),
        node(topology.ranks_of(mine), rank),
        leader(mine == topology.node_of(root) ? topology.place_of(root) : 0),
        leaders(first_ranks(topology, root), rank) {}

  /// Whether this rank speaks for its node.
  bool leads() const { return node.rank() == leader; }

  int mine;       // the node's number
  Group node;     // its ranks
  int leader;     // the place of its leader among them
  Group leaders;  // of all nodes, in their order

 private:
  static std::vector<Rank> first_ranks(const Topology& topology, Rank root) {
    std::vector<Rank> result;
    for (int i = 0; i < topology.nodes(); ++i)
      result.push_back(i == topology.node_of(root) ? root : topology.ranks_of(i)[0]);
    return result;
  }
};

/// The ranks at the same place of every node form a lane; lanes are the places that all nodes have.
/// A rank at a place beyond is served by the lane of its place modulo their number.
struct Lanes {
  Lanes(const Topology& topology, Rank rank)
      : topology(topology),
        number(topology.smallest()),
        mine(topology.place_of(rank) % number),
        node(topology.ranks_of(topology.node_of(rank)), rank),
        lane(ranks_at(topology, mine), rank) {}

  /// Whether this rank is in a lane, and not only served by one.
  bool carries() const { return lane.has_me(); }
  /// The ranks of a node that a lane serves, those in it first.
  std::vector<Rank> served(int of_node, int by_lane) const {
    std::vector<Rank> result;
    for (int place = by_lane; place < topology.size_of(of_node); place += number)
      result.push_back(topology.ranks_of(of_node)[place]);
    return result;
  }
  /// As many ranks of one node as my lane serves at most.
  std::size_t most_served() const {
    std::size_t most = 0;
    for (int i = 0; i < topology.nodes(); ++i) most = std::max(most, served(i, mine).size());
    return most;
  }
  /// All that a lane serves, node by node.
  std::vector<Rank> served(int by_lane) const {
    std::vector<Rank> result;
    for (int i = 0; i < topology.nodes(); ++i)
      for (const Rank rank : served(i, by_lane)) result.push_back(rank);
    return result;
  }

  /// With a root: those of a node's ranks whose blocks a lane carries. In the root's node only the
  /// one that is in it: the others deal with the root themselves.
  std::vector<Rank> carried(int of_node, int by_lane, Rank root) const {
    if (of_node == topology.node_of(root)) return {topology.ranks_of(of_node)[by_lane]};
    return served(of_node, by_lane);
  }
  /// The same of all nodes.
  std::vector<Rank> carried(int by_lane, Rank root) const {
    std::vector<Rank> result;
    for (int i = 0; i < topology.nodes(); ++i)
      for (const Rank rank : carried(i, by_lane, root)) result.push_back(rank);
    return result;
  }

  const Topology& topology;
  int number;  // of lanes
  int mine;    // the lane that serves this rank
  Group node;  // this rank's node: its first `number` ranks are in the lanes of these numbers
  Group lane;  // the ranks of my lane, one of each node

 private:
  static std::vector<Rank> ranks_at(const Topology& topology, int place) {
    std::vector<Rank> result;
    for (int i = 0; i < topology.nodes(); ++i) result.push_back(topology.ranks_of(i)[place]);
    return result;
  }
};

/// The blocks of the ranks listed, in this order.
inline Slices blocks_of(const Blocks& blocks, std::span<const Rank> ranks) {
  Slices result;
  for (const Rank rank : ranks) result.push_back(blocks[rank]);
  return result;
}

}  // namespace tutti::core
