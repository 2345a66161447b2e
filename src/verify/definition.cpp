// Each collective as what stands where before and after it.

#include "verify/definition.hpp"

namespace tutti::core {

std::vector<Given> given(const Problem& problem, Rank rank) {
  const Collective c = problem.collective;
  if (c == Collective::barrier) return {};
  if (c == Collective::bcast) {
    if (rank != problem.root) return {};
    return {{{Buffer::output, 0, problem.count}, rank, 0}};
  }
  if (problem.is_in_place(rank)) {
    if (c == Collective::gather || c == Collective::gatherv || c == Collective::allgather ||
        c == Collective::allgatherv) {
      std::size_t offset = 0;
      for (Rank i = 0; i < rank; ++i) offset += problem.block(i);
      return {{{Buffer::output, offset, problem.block(rank)}, rank, 0}};
    }
    if (c != Collective::scatter && c != Collective::scatterv)
      return {{{Buffer::output, 0, problem.output_count(rank)}, rank, 0}};
  }
  return {{{Buffer::input, 0, problem.input_count(rank)}, rank, 0}};
}

std::vector<Wanted> wanted(const Problem& problem, Rank rank) {
  const int p = problem.p;
  const Rank root = problem.root;
  const Slice all{Buffer::output, 0, problem.output_count(rank)};
  std::vector<Wanted> result;
  std::size_t offset = 0;
  switch (problem.collective) {
    case Collective::barrier: break;
    case Collective::bcast: result.push_back({all, root, root, 0}); break;
    case Collective::scatter:
    case Collective::scatterv:
      for (Rank i = 0; i < rank; ++i) offset += problem.block(i);
      result.push_back({all, root, root, offset});
      break;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::allgather:
    case Collective::allgatherv:
      for (Rank i = 0; i < p && all.count > 0; ++i) {
        result.push_back({{Buffer::output, offset, problem.block(i)}, i, i, 0});
        offset += problem.block(i);
      }
      break;
    case Collective::reduce:
      if (rank == root) result.push_back({all, 0, p - 1, 0});
      break;
    case Collective::allreduce: result.push_back({all, 0, p - 1, 0}); break;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      for (Rank i = 0; i < rank; ++i) offset += problem.block(i);
      result.push_back({{Buffer::output, 0, problem.block(rank)}, 0, p - 1, offset});
      break;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      for (Rank i = 0; i < p; ++i) {
        std::size_t index = problem.counts.empty() ? rank * problem.count : 0;
        for (Rank j = 0; j < rank && !problem.counts.empty(); ++j) index += problem.block(i, j);
        result.push_back({{Buffer::output, offset, problem.block(i, rank)}, i, i, index});
        offset += problem.block(i, rank);
      }
      break;
    case Collective::scan: result.push_back({all, 0, rank, 0}); break;
    case Collective::exscan:
      if (rank > 0) result.push_back({all, 0, rank - 1, 0});
      break;
  }
  return result;
}

}  // namespace tutti::core
