// Named cases of a program under mpirun: each prints `ok NAME` or `failed NAME: why`, the last line
// counts them.
#pragma once

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace tutti::test {

struct Case {
  const char* name;
  void (*run)();
};
#define CASE(name) \
  { #name, name }

inline const char* running = "";

inline int rank_of_world() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline void stop(int signal) {
  const std::string line = fmt::format("failed {}: {} on rank {}\n", running,
                                       signal == SIGALRM ? "hangs" : "crashes", rank_of_world());
  (void)!write(1, line.data(), line.size());
  _exit(3);
}

/// Runs a case on all ranks; the first that objects says why.
inline bool passes(const Case& each, unsigned seconds) {
  const int rank = rank_of_world();
  int p = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  running = each.name;
  alarm(seconds);
  std::string why;
  try {
    each.run();
  } catch (const std::exception& error) {
    why = fmt::format("rank {}: {}", rank, error.what());
  }
  int mine = why.empty() ? p : rank, first = p;
  PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == rank) fmt::print("failed {}: {}\n", each.name, why);
  if (first == p && rank == 0) fmt::print("ok {}\n", each.name);
  std::fflush(stdout);
  return first == p;
}

/// Runs those of that name, or all; each may take so many seconds. Returns the exit code.
inline int run_cases(const std::vector<Case>& cases, const std::string& only, unsigned seconds) {
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, stop);
  int passed = 0, failed = 0;
  for (const Case& each : cases) {
    if (!only.empty() && only != each.name) continue;
    ++(passes(each, seconds) ? passed : failed);
  }
  if (rank_of_world() == 0) fmt::print("{} passed, {} failed\n", passed, failed);
  return failed > 0 || passed == 0 ? 1 : 0;
}

}  // namespace tutti::test
