// The table of all calls, which TUTTI_EXPLAIN asks for: counts, times and reasons.

#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "schedule/problem.hpp"

namespace tutti::core {

/// Calls, noted by one thread at a time and read by any.
struct CallCounts {
  std::atomic<std::uint64_t> calls{0};         // of this process
  std::atomic<std::uint64_t> collectively{0};  // those where it was rank 0
  std::atomic<std::uint64_t> nanoseconds{0};   // in all, where calls are timed

  void note(bool is_rank_0) {
    add(calls, 1);
    add(collectively, is_rank_0 ? 1 : 0);
  }
  /// No atomic addition: nobody else writes.
  static void add(std::atomic<std::uint64_t>& to, std::uint64_t number) {
    to.store(to.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }
};

/// What is noted of a program's calls that are alike.
struct ExplainRow {
  std::string collective;  // with what it was called as: `allreduce`, `iallreduce`, `bcast_init`
  int size_class = -1;     // bytes <= 2^size_class, of all ranks together; -1: not known alike
  int ranks = 0;           // of the communicator; 0: not known
  std::string algorithm;   // `native`: the MPI's own
  std::string parameters;  // `segment=32768`
  std::string why;

  std::uint64_t calls = 0, collectively = 0, nanoseconds = 0;  // of noters that are gone
};

/// Notes calls of one row, for one thread at a time: a plan has its own.
class Noter {
 public:
  explicit Noter(ExplainRow& row);
  ~Noter();
  Noter(const Noter&) = delete;
  Noter& operator=(const Noter&) = delete;

  CallCounts counts;
  ExplainRow& row() const { return row_; }

 private:
  ExplainRow& row_;
};

/// The row of that name, made if need be. Takes a lock: a plan asks once.
ExplainRow& explain_row(std::string_view collective, int size_class, int ranks,
                        std::string_view algorithm, std::string_view parameters,
                        std::string_view why);

/// How often this process ran an algorithm of a collective.
unsigned long long calls_of(std::string_view collective, std::string_view algorithm);

/// Calls are to be timed.
bool explains();

/// The noter of this thread for a row.
Noter& noter_of(ExplainRow& row);

/// This rank is the one of a communicator whose calls are counted for all; asked only where calls
/// are explained.
bool counts_for_all(MPI_Comm comm);

/// Reports when the MPI is finalized, and writes the record, if the settings ask for it. Every
/// process of the world must come here.
void explain_at_finalize();

}  // namespace tutti::core
