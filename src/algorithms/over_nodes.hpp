#pragma once

#include "algorithms/row.hpp"

namespace tutti::core {

// What the rows of compositions over nodes have in common.

inline constexpr std::string_view lane_source =
    "Kumar, Mamidala, Panda 2008, 7 (their future work)";
inline constexpr std::string_view node_aware_source =
    "Kumar, Mamidala, Panda 2008, 5 (their baseline)";
inline constexpr std::string_view smp_source =
    "Kumar, Mamidala, Panda 2008, 4 and 5 (their baseline)";

inline constexpr Valid consecutive_nodes{.nodes = Valid::Nodes::consecutive};
inline constexpr Valid ordered_nodes{.nodes = Valid::Nodes::consecutive_unless_commutative};

/// A composition; `inner` is what runs between the nodes.
Rows over_nodes(Row row, InnerProblem inner);
/// With one leader for each node, and with several.
Rows over_leaders(const Row& row, InnerProblem inner);

// What runs between the leaders of the nodes, or of parts of them.

/// The problem itself, with a rank for each node.
Problem between_leaders(const Problem& problem, const Parameters& parameters);
/// The same, of a v-operation: a block holds those of a node.
Problem blocks_between_leaders(Collective irregular, const Problem& problem,
                               const Parameters& parameters);
template <Collective irregular>
Problem blocks_between_leaders(const Problem& problem, const Parameters& parameters) {
  return blocks_between_leaders(irregular, problem, parameters);
}
/// Scatter and gather: blocks as large as the largest node's.
Problem padded_between_leaders(const Problem& problem, const Parameters& parameters);
/// All-to-all: from each rank of a node to each of another.
Problem alltoall_between_leaders(const Problem& problem, const Parameters& parameters);
Problem alltoallv_between_leaders(const Problem& problem, const Parameters& parameters);
Problem exscan_between_leaders(const Problem& problem, const Parameters& parameters);

// What runs in a lane; the first is the largest.

Problem in_lane(const Problem& problem, const Parameters& parameters);
Problem blocks_in_lane(Collective irregular, const Problem& problem, const Parameters& parameters);
template <Collective irregular>
Problem blocks_in_lane(const Problem& problem, const Parameters& parameters) {
  return blocks_in_lane(irregular, problem, parameters);
}
/// Scatter and gather: blocks as large as those of the node where the lane serves most.
Problem padded_in_lane(const Problem& problem, const Parameters& parameters);
Problem alltoall_in_lane(const Problem& problem, const Parameters& parameters);
Problem alltoallv_in_lane(const Problem& problem, const Parameters& parameters);
Problem exscan_in_lane(const Problem& problem, const Parameters& parameters);

// Scratch, in elements.

/// Ranks of the largest node.
std::size_t largest_node(const Problem& problem);
/// Scatter and gather: a node's blocks; all nodes' padded to the largest where they are unequal.
std::size_t node_blocks(const Problem& problem);
/// Scatterv and gatherv: a node's blocks and all counts.
std::size_t node_data_and_counts(const Problem& problem);
/// Scatter and gather: what a lane carries.
std::size_t lane_blocks(const Problem& problem);
/// Scatterv and gatherv: what a lane carries, and all counts.
std::size_t lane_data_and_counts(const Problem& problem);
/// What aggregation and distribution keep: n on equal nodes.
std::size_t lane_alltoall_scratch(const Problem& problem);
/// What aggregation of unequal blocks keeps: of what passes through a node's rank in a lane and
/// what those that it serves there get, the most; and the counts, of which each rank tells its own,
/// too.
std::size_t learned_aggregation_scratch(const Problem& problem);

}  // namespace tutti::core
