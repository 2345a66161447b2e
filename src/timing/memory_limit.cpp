// Whether the hosts have the memory that a cell needs.

#include "timing/memory_limit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace tutti::core {

namespace {

/// Others want some, too.
constexpr double usable_share = 0.7;

double bytes_of(std::size_t elements, const Problem& problem) {
  return static_cast<double>(elements) * static_cast<double>(problem.element_bytes);
}

/// What a rank of the MPI's own call holds. A rank of SMPI's scans keeps a vector for every rank
/// before it.
double bytes_of_native([[maybe_unused]] const Problem& problem) {
#ifdef TUTTI_SIMULATED
  if (problem.collective == Collective::scan || problem.collective == Collective::exscan)
    return 0.5 * problem.p * bytes_of(problem.total(), problem);
#endif
  return 0;
}

/// What an algorithm keeps of messages that are to be combined, of a rank in the mean: all those of
/// a round have a place of their own.
double bytes_to_combine(const Algorithm& algorithm, const Problem& problem) {
  if (!reduces(problem.collective)) return 0;
  const Parameters parameters = algorithm.resolve(problem, Rates{});
  const auto of = [&](Rank rank) {
    const Generator generator(algorithm, problem.call(rank), parameters);
    const Schedule& schedule = generator.schedule();
    std::size_t most = 0;
    for (std::size_t t = 0; t < schedule.round_count(); ++t) {
      std::size_t elements = 0;
      for (const Action& action : schedule.round(t))
        if (action.kind == Kind::recv_reduce) elements += schedule.count_of(action);
      most = std::max(most, elements);
    }
    return bytes_of(most, problem);
  };
  const Rank last = problem.p - 1;
  if (!has_root(problem.collective)) return (of(0) + of(last)) / 2;  // in scans the more the higher
  return (of(problem.root) + last * of(problem.root == last ? 0 : last)) / problem.p;
}

}  // namespace

MemoryLimit::MemoryLimit(MPI_Comm comm, std::shared_ptr<const Topology> topology)
    : topology_(std::move(topology)) {
  const double mine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  PMPI_Allreduce(&mine, &bytes_, 1, MPI_DOUBLE, MPI_MIN, comm);
}

std::string MemoryLimit::lack(const Cell& cell) const { return lack(cell, 0); }

std::string MemoryLimit::lack_for_native(const Cell& cell) const {
  return lack(cell, bytes_of_native(cell.problem()));
}

std::string MemoryLimit::lack_for(const Algorithm& algorithm, const Cell& cell) const {
  Problem problem = cell.problem();
  problem.topology = topology_;
  const double scratch = bytes_of(algorithm.scratch.value(problem), problem);
  // Most are far from it, whatever they combine, and to generate schedules takes long.
  const bool fits_anyway = fits(cell, scratch + problem.p * static_cast<double>(cell.bytes));
  return lack(cell, scratch + (fits_anyway ? 0 : bytes_to_combine(algorithm, problem)));
}

bool MemoryLimit::fits(const Cell& cell, double more) const {
  const double blocks = 16.0 * cell.p * cell.p, data = static_cast<double>(cell.bytes);
  return cell.p * (8 * std::max(data, blocks) + more) <= usable_share * bytes_;
}

std::string MemoryLimit::lack(const Cell& cell, double more) const {
  // MPI's counts are ints, and so are the places of irregular blocks, in alltoallw in bytes.
  const std::size_t gaps = cell.element == Element::strided ? 2 : 1;
  const std::size_t most = cell.collective == Collective::alltoallw ? cell.bytes * gaps
                           : is_irregular(cell.collective) ? cell.bytes / cell.element_bytes()
                                                           : cell.problem().count;
  const char* const uncounted =
      most > std::numeric_limits<int>::max() ? "has more elements than MPI's calls can count" : "";
  // Most are far from it, and to walk through the blocks of all pairs takes long.
  if (fits(cell, more)) return uncounted;
  const Problem problem = cell.problem();
  std::vector<double> hosts(static_cast<std::size_t>(problem.p));
  for (Rank rank = 0; rank < problem.p; ++rank) {
#ifdef TUTTI_SIMULATED  // all ranks are one process
    double& host = hosts.front();
#else
    double& host = hosts[static_cast<std::size_t>(topology_->node_of(rank))];
#endif
    // The result is kept twice to be compared.
    host += bytes_of(problem.input_count(rank) + 3 * problem.output_count(rank), problem) + more;
  }
  const double needed = *std::max_element(hosts.begin(), hosts.end());
  if (needed <= usable_share * bytes_) return uncounted;
  return fmt::format("needs about {:.1f} GB of memory, and a host has {:.1f} GB", needed / 1e9,
                     bytes_ / 1e9);
}

}  // namespace tutti::core
