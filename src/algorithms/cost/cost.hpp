#pragma once

#include "algorithms/rates.hpp"
#include "schedule/problem.hpp"

namespace tutti::core {

// Closed forms that take more than a line: what the replay of all ranks gives, found in O(log^2 p)
// from the shape of the algorithm. `block` is in bytes. Rounds follow from the same forms under
// rates that count messages.

/// A message while another goes the other way, and one alone.
inline double exchange(const Rates& r, double n) { return r.alpha + n * r.beta; }
inline double one_way(const Rates& r, double n) { return r.alpha_uni + n * r.beta_uni; }

/// A problem's data.
inline double bytes_of(const Problem& problem) {
  return static_cast<double>(problem.total() * problem.element_bytes);
}

/// Every message takes 1.
inline constexpr Rates count_messages{
    .alpha = 1, .beta = 0, .gamma = 0, .alpha_uni = 1, .beta_uni = 0};

/// Binomial scatter or gather of equal blocks.
double tree_cost(int p, Rank root, double block, const Rates& rates);
/// Binomial scatterv and gatherv, where counts travel ahead of the data.
double scatterv_tree_cost(int p, Rank root, double block, const Rates& rates);
double gatherv_tree_cost(int p, Rank root, double block, const Rates& rates);

/// Broadcast, reduction, and scatter and gather of equal blocks over the tree by range splitting.
double bcast_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates);
double reduce_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates);
double scatter_knomial_cost(int p, Rank root, int radix, double block, const Rates& rates);
double gather_knomial_cost(int p, Rank root, int radix, double block, const Rates& rates);

/// Recursive doubling with the logarithmic correction for other p.
double doubling_allgather_cost(int p, double block, const Rates& rates);
double doubling_reduce_scatter_cost(int p, double block, const Rates& rates);
/// Recursive halving after the even ranks of the first pairs were folded away.
double halving_reduce_scatter_cost(int p, double block, const Rates& rates);

/// Pipelined chains of k segments.
double bcast_chain_cost(int p, double n, double segments, const Rates& rates);
double reduce_chain_cost(int p, Rank root, double n, double segments, const Rates& rates);
double exscan_chain_cost(int p, double n, double segments, const Rates& rates);

/// Section 5.2 of the 2005 paper.
double reduce_binary_blocks_cost(int p, Rank root, double n, const Rates& rates);
double allreduce_binary_blocks_cost(int p, double n, const Rates& rates);

double scan_doubling_cost(int p, double n, const Rates& rates);
double exscan_doubling_cost(int p, double n, const Rates& rates);

}  // namespace tutti::core
