// What a message takes from one domain of a node to another: for the library's first guess and for
// what the command measures.

#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "api/machine/exchange.hpp"
#include "measure/statistics.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// A rank, one of its domain, and one of another domain of the node; nothing if there are none.
inline std::optional<std::array<Rank, 3>> across_domains(const Topology& topology, int node) {
  const auto ranks = topology.ranks_of(node);
  for (const Rank first : ranks) {
    std::optional<Rank> near, far;
    for (const Rank other : ranks) {
      std::optional<Rank>& found = topology.share_domain(first, other) ? near : far;
      if (!found && other != first) found = other;
    }
    if (near && far) return std::array{first, *near, *far};
  }
  return std::nullopt;
}

/// Small messages of the first of them to the third, in those to the second, at least 1; the
/// others, who take part, get 1.
inline double measure_across(MPI_Comm comm, const std::array<Rank, 3>& ranks) {
  constexpr int passes = 7, calls = 5, bytes = 8;
  constexpr double most = 20;  // more is a disturbance
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const bool begins = rank == ranks[0];
  char out[bytes] = {}, in[bytes];
  std::vector<double> seconds[2];
  for (int pass = 0; pass < passes; ++pass)
    for (const int to : {0, 1}) {
      const Rank other = ranks[1 + to];
      if (!begins && rank != other) continue;
      const Rank peer = begins ? other : ranks[0];
      const auto taken = time_calls(
          1, calls, [] {}, [&] { there_and_back(comm, peer, begins, out, in, bytes, bytes); });
      seconds[to].push_back(taken.front());
    }
  if (!begins) return 1;
  const double within = median_of(seconds[0]).value, across = median_of(seconds[1]).value;
  return within > 0 ? std::clamp(across / within, 1.0, most) : 1;
}

}  // namespace tutti::core
