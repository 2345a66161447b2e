// Compares clocks by messages there and back.

#include "api/watch/clocks.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "api/process/native.hpp"

namespace tutti::core {

namespace {

/// The quickest of so many ways there and back tells how clocks differ.
constexpr int rounds = 100;

/// The same where the clock is the same: on one system, unless containers move its time.
std::uint64_t clock_here() {
  std::string text;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  char space[64] = "";
  const auto length = readlink("/proc/self/ns/time", space, sizeof space);
  if (length > 0) text.append(space, static_cast<std::size_t>(length));
  return std::hash<std::string>{}(text);
}

/// What another's clock lacks against rank 0's, and how wrong that may be, in nanoseconds.
struct Difference {
  double offset = 0, error = 0;
};

/// Rank 0's side.
void compare_with(int other, MPI_Comm comm) {
  std::int64_t quickest = std::numeric_limits<std::int64_t>::max();
  Difference best;
  for (int i = 0; i < rounds; ++i) {
    std::int64_t theirs = 0;
    const std::int64_t begin = clock_now();
    PMPI_Send(&begin, 1, MPI_INT64_T, other, 0, comm);
    PMPI_Recv(&theirs, 1, MPI_INT64_T, other, 0, comm, MPI_STATUS_IGNORE);
    const std::int64_t around = clock_now() - begin;
    if (around >= quickest) continue;
    quickest = around;
    const double half = static_cast<double>(around) / 2;
    best = {static_cast<double>(begin - theirs) + half, half};
  }
  PMPI_Send(&best, sizeof best, MPI_BYTE, other, 0, comm);
}

/// The other side.
Difference compare_with_rank_0(MPI_Comm comm) {
  std::int64_t value = 0;
  for (int i = 0; i < rounds; ++i) {
    PMPI_Recv(&value, 1, MPI_INT64_T, 0, 0, comm, MPI_STATUS_IGNORE);
    value = clock_now();
    PMPI_Send(&value, 1, MPI_INT64_T, 0, 0, comm);
  }
  Difference found;
  PMPI_Recv(&found, sizeof found, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
  return found;
}

}  // namespace

std::int64_t clock_now() {
#ifdef TUTTI_SIMULATED
  return static_cast<std::int64_t>(PMPI_Wtime() * 1e9);
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

void Clocks::begin() {
  MPI_Group group;
  PMPI_Comm_group(MPI_COMM_WORLD, &group);
  PMPI_Comm_create(MPI_COMM_WORLD, group, &comm_);
  PMPI_Group_free(&group);
  compare();
  offset_.first = offset_.last;
  offset_.first_time = offset_.last_time;
}

void Clocks::end() {
  compare();
  PMPI_Comm_free(&comm_);
}

void Clocks::compare() {
  int rank = 0, p = 1;
  PMPI_Comm_rank(comm_, &rank);
  PMPI_Comm_size(comm_, &p);
  const std::uint64_t mine = clock_here();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(p));
  native().allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm_);
  const auto first_with = [&](std::uint64_t clock) {
    return static_cast<int>(std::find(all.begin(), all.end(), clock) - all.begin());
  };
  Difference difference;
  number_ = 1;
  for (int other = 1; other < p; ++other) {
    if (first_with(all[static_cast<std::size_t>(other)]) != other) continue;
    ++number_;
    if (rank == 0) compare_with(other, comm_);
    if (rank == other) difference = compare_with_rank_0(comm_);
  }
  // Ranks of one clock take what its first one found.
  std::vector<Difference> found(all.size());
  native().allgather(&difference, sizeof difference, MPI_BYTE, found.data(), sizeof difference,
                     MPI_BYTE, comm_);
  for (const Difference& each : found) error_ = std::max(error_, each.error);
  offset_.clock = first_with(mine);
  const Difference& ours = found[static_cast<std::size_t>(offset_.clock)];
  offset_.last = ours.offset;
  offset_.last_time = clock_now();
  offset_.error = std::max(offset_.error, ours.error);
}

}  // namespace tutti::core
