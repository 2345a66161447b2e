// The bytes of a call by which its first calls are counted.

#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

#include "schedule/problem.hpp"

namespace tutti::core {

/// So many elements, `times` over. Counts and types may be wrong: the MPI will say so, and it does
/// not matter how many bytes they are.
template <class Count>
std::size_t bytes_of(Count count, MPI_Datatype type, std::size_t times = 1) {
  MPI_Count size = 0;
  if (type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
  return static_cast<std::size_t>(std::max<MPI_Count>(0, count)) * times *
         static_cast<std::size_t>(std::max<MPI_Count>(0, size));
}

/// Blocks of their own sizes, one for each rank.
template <class Count>
std::size_t bytes_of(const Count* counts, MPI_Datatype type, std::size_t p) {
  MPI_Count sum = 0;
  for (std::size_t i = 0; counts != nullptr && i < p; ++i) sum += counts[i];
  return bytes_of(sum, type);
}

/// MPICH crashes on a negative count of a reduction: such a call is to be described, which says
/// so.
template <Collective collective, class... Arguments>
bool has_fatal_count(std::size_t p, const Arguments&... arguments) {
#ifdef MPICH
  using enum Collective;
  const auto all = std::tie(arguments...);
  if constexpr (collective == reduce_scatter) {
    const auto* const counts = std::get<2>(all);
    return counts != nullptr && std::any_of(counts, counts + p, [](auto each) { return each < 0; });
  } else if constexpr (collective == reduce || collective == allreduce || collective == scan ||
                       collective == exscan || collective == reduce_scatter_block) {
    return std::get<2>(all) < 0;
  }
#endif
  ((void)arguments, ...);
  (void)p;
  return false;
}

/// What all ranks know alike of a call, from MPI's arguments (collectives.def) alone: it is asked
/// for before the call is described. None: its bytes are not known alike.
template <Collective collective, class... Arguments>
std::optional<std::size_t> first_bytes(std::size_t p, int rank, const Arguments&... arguments) {
  using enum Collective;
  const auto all = std::tie(arguments...);
  if constexpr (collective == barrier) {
    return 0;
  } else if constexpr (collective == bcast) {
    return bytes_of(std::get<1>(all), std::get<2>(all));
  } else if constexpr (collective == reduce || collective == allreduce || collective == scan ||
                       collective == exscan) {
    return bytes_of(std::get<2>(all), std::get<3>(all));
  } else if constexpr (collective == reduce_scatter || collective == reduce_scatter_block) {
    return bytes_of(std::get<2>(all), std::get<3>(all), p);
  } else if constexpr (collective == scatter || collective == gather) {
    const bool is_root = rank == std::get<6>(all);
    return is_root == (collective == scatter) ? bytes_of(std::get<1>(all), std::get<2>(all), p)
                                              : bytes_of(std::get<4>(all), std::get<5>(all), p);
  } else if constexpr (collective == allgather || collective == alltoall) {
    return bytes_of(std::get<4>(all), std::get<5>(all), p);
  } else if constexpr (collective == allgatherv) {
    return bytes_of(std::get<4>(all), std::get<6>(all), p);
  } else {
    return std::nullopt;
  }
}

}  // namespace tutti::core
