#include "cli/mpi/room.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace tutti::cli {

namespace {

/// Of a rank: its buffers, twice the result to compare, and an algorithm's memory.
double bytes_of(const Problem& problem, Rank rank) {
  const auto in = static_cast<double>(problem.input_count(rank)),
             out = static_cast<double>(problem.output_count(rank));
  return (in + 3 * out + std::max(in, out)) * static_cast<double>(problem.element_bytes);
}

/// What the MPI's own holds beside that on all ranks.
double bytes_of_native([[maybe_unused]] const Problem& problem) {
#ifdef TUTTI_SIMULATED  // a rank of SMPI's scans keeps a vector for every rank before it
  if (problem.collective == Collective::scan || problem.collective == Collective::exscan)
    return 0.5 * problem.p * problem.p * static_cast<double>(problem.total()) *
           static_cast<double>(problem.element_bytes);
#endif
  return 0;
}

double most_on_a_host(const Problem& problem, [[maybe_unused]] const Topology& topology) {
#ifdef TUTTI_SIMULATED  // all ranks are one process
  const auto host_of = [](Rank) { return std::size_t{0}; };
#else
  const auto host_of = [&](Rank rank) { return static_cast<std::size_t>(topology.node_of(rank)); };
#endif
  std::vector<double> bytes(static_cast<std::size_t>(problem.p));
  for (Rank rank = 0; rank < problem.p; ++rank) bytes[host_of(rank)] += bytes_of(problem, rank);
  return *std::max_element(bytes.begin(), bytes.end());
}

}  // namespace

std::string lack_of_room(MPI_Comm comm, const Cell& cell, const Topology& topology, bool native) {
  const Problem problem = cell.problem();
  const double needed = most_on_a_host(problem, topology) + (native ? bytes_of_native(problem) : 0);
  double mine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                static_cast<double>(sysconf(_SC_PAGESIZE)),
         least = 0;
  PMPI_Allreduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
  if (needed <= 0.9 * least) return "";
  return fmt::format("needs about {:.1f} GB of memory, and a host has {:.1f} GB", needed / 1e9,
                     least / 1e9);
}

}  // namespace tutti::cli
