// Times that no schedule can beat.

#include "model/bounds.hpp"

#include <algorithm>
#include <bit>

namespace tutti::core {

// q = ceil(lg p): in the time of one message the ranks that hold a given datum at most double, so
// what starts on one rank reaches the last one with the q-th message, and the reverse.

double lower_bound(Collective collective, int p, double n, const Rates& rates) {
  // The cheaper of both directions, so that it holds whichever a schedule uses.
  const double alpha = std::min(rates.alpha, rates.alpha_uni);
  const double beta = std::min(rates.beta, rates.beta_uni);
  const double gamma = rates.gamma;
  if (p <= 1) return 0;
  const double q = std::bit_width(static_cast<unsigned>(p - 1));
  const double most = n * (p - 1) / p;  // all blocks but one
  if (collective == Collective::barrier) return q * alpha;
  if (n <= 0) return 0;
  switch (collective) {
    case Collective::barrier:
    case Collective::bcast:
      // The last rank to be reached begins to receive after q - 1 messages and then needs all.
      return q * alpha + n * beta;
    case Collective::scatter:
    case Collective::scatterv:
    case Collective::gather:
    case Collective::gatherv:
      // The root sends, or receives, all blocks but its own; those it hands on late go to small
      // trees.
    case Collective::allgather:
    case Collective::allgatherv:
      // Every rank is the root of a gather.
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      // Every rank is the root of a scatter.
      return q * alpha + most * beta;
    case Collective::reduce:
      // A broadcast backwards; and every rank sends or receives n, while the p - 1 combinations of
      // every element are spread over p ranks at best, of which one has the average or more.
      return std::max(q * alpha + n * beta, alpha + n * beta + most * gamma);
    case Collective::allreduce:
      // It holds a reduce; and every element needs p - 1 transfers to be combined and p - 1 to come
      // back, and p - 1 combinations, spread over p ranks at best.
      return std::max(q * alpha + n * beta, alpha + 2 * most * beta + most * gamma);
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      // Every rank scatters its contributions; p - 1 combinations of every element over p ranks.
      return std::max(q * alpha + most * beta, alpha + most * beta + most * gamma);
    case Collective::scan:
      // Rank 0's vector must reach all; p - 1 combinations over p ranks, each of which moves n.
      return std::max(q * alpha + n * beta, alpha + n * beta + most * gamma);
    case Collective::exscan:
      // As scan, but the last rank's vector is not needed: p - 2 combinations.
      return std::max(q * alpha + n * beta, alpha + n * beta + n * (p - 2) / p * gamma);
  }
  return 0;
}

double lower_bound(const Problem& problem, const Rates& rates) {
  const int p = problem.p;
  const std::size_t total = problem.total();
  if (problem.counts.empty()) {
    const std::size_t elements = is_vector(problem.collective) ? problem.count : problem.count * p;
    return lower_bound(problem.collective, p, static_cast<double>(elements * problem.element_bytes),
                       rates);
  }
  if (p <= 1) return 0;
  std::size_t moved = 0;  // elements, by the rank that moves most
  if (is_alltoall(problem.collective)) {
    for (Rank i = 0; i < p; ++i) {
      std::size_t out = 0, in = 0;
      for (Rank j = 0; j < p; ++j) {
        if (i == j) continue;
        out += problem.block(i, j);
        in += problem.block(j, i);
      }
      moved = std::max({moved, out, in});
    }
  } else if (has_root(problem.collective)) {
    moved = total - problem.block(problem.root);
  } else {
    moved = total - *std::min_element(problem.counts.begin(), problem.counts.end());
  }
  if (moved == 0) return 0;
  // One message is the least; what one rank has and all need takes ceil(lg p) of them.
  const double messages = problem.collective == Collective::allgatherv
                              ? std::bit_width(static_cast<unsigned>(p - 1))
                              : 1;
  return messages * std::min(rates.alpha, rates.alpha_uni) +
         static_cast<double>(moved * problem.element_bytes) * std::min(rates.beta, rates.beta_uni);
}

}  // namespace tutti::core
