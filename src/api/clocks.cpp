#include "api/clocks.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <string>

#include "api/native.hpp"

namespace tutti {

namespace {

constexpr int rounds = 30;

/// The same where the clock is the same: on one system, unless containers move its time.
std::uint64_t clock_here() {
  std::string text;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), text);
  char space[64] = "";
  const auto length = readlink("/proc/self/ns/time", space, sizeof space);
  if (length > 0) text.append(space, static_cast<std::size_t>(length));
  return std::hash<std::string>{}(text);
}

struct Compared {
  std::int64_t ahead = 0, around = std::numeric_limits<std::int64_t>::max();
};

/// Rank 0's side: what another's clock is ahead, by the fastest way there and back.
Compared compare(MPI_Comm comm, int other) {
  Compared best;
  for (int i = 0; i < rounds; ++i) {
    std::int64_t theirs = 0;
    const std::int64_t begin = clock_now();
    PMPI_Send(&begin, 1, MPI_INT64_T, other, 0, comm);
    PMPI_Recv(&theirs, 1, MPI_INT64_T, other, 0, comm, MPI_STATUS_IGNORE);
    const std::int64_t end = clock_now();
    if (end - begin < best.around) best = {theirs - begin - (end - begin) / 2, end - begin};
  }
  PMPI_Send(&best.ahead, 1, MPI_INT64_T, other, 0, comm);
  return best;
}

/// The other side.
std::int64_t be_compared(MPI_Comm comm) {
  std::int64_t value = 0;
  for (int i = 0; i < rounds; ++i) {
    PMPI_Recv(&value, 1, MPI_INT64_T, 0, 0, comm, MPI_STATUS_IGNORE);
    value = clock_now();
    PMPI_Send(&value, 1, MPI_INT64_T, 0, 0, comm);
  }
  PMPI_Recv(&value, 1, MPI_INT64_T, 0, 0, comm, MPI_STATUS_IGNORE);
  return value;
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

void Clocks::measure(MPI_Comm comm) {
  int rank = 0, p = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &p);
  const std::uint64_t mine = clock_here();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(p));
  native().allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, comm);
  const auto first_with = [&](std::uint64_t clock) {
    return static_cast<int>(std::find(all.begin(), all.end(), clock) - all.begin());
  };
  std::int64_t ahead = 0;
  number_ = 1;
  for (int other = 1; other < p; ++other) {
    if (first_with(all[static_cast<std::size_t>(other)]) != other) continue;
    ++number_;
    if (rank == 0) error_ = std::max(error_, compare(comm, other).around / 2);
    if (rank == other) ahead = be_compared(comm);
  }
  std::vector<std::int64_t> found(all.size());
  native().allgather(&ahead, 1, MPI_INT64_T, found.data(), 1, MPI_INT64_T, comm);
  measured_.push_back({clock_now(), found[static_cast<std::size_t>(first_with(mine))]});
}

std::int64_t Clocks::at_rank_0(std::int64_t mine) const {
  if (measured_.empty()) return mine;
  const Measured &a = measured_.front(), &b = measured_.back();
  if (a.when == b.when) return mine - a.ahead;
  const double share = static_cast<double>(mine - a.when) / static_cast<double>(b.when - a.when);
  return mine - a.ahead - static_cast<std::int64_t>(share * static_cast<double>(b.ahead - a.ahead));
}

}  // namespace tutti
