#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "schedule/problem.hpp"

namespace tutti {

/// What is noted of a program's calls that are alike.
struct ExplainRow {
  std::string collective;  // with what it was called as: `allreduce`, `iallreduce`, `bcast_init`
  int size_class = -1;     // bytes <= 2^size_class, of all ranks together; -1: not known alike
  int ranks = 0;           // of the communicator; 0: not known
  std::string algorithm;   // `native`: the MPI's own
  std::string parameters;  // `segment=32768`
  std::string why;

  std::atomic<std::uint64_t> calls{0};         // of this process
  std::atomic<std::uint64_t> collectively{0};  // those where it was rank 0
  std::atomic<std::uint64_t> nanoseconds{0};   // in all, where calls are timed

  void note(bool is_rank_0) {
    calls.fetch_add(1, std::memory_order_relaxed);
    if (is_rank_0) collectively.fetch_add(1, std::memory_order_relaxed);
  }
};

/// The row of that name, made if need be. Takes a lock: a plan asks once.
ExplainRow& explain_row(std::string_view collective, int size_class, int ranks,
                        std::string_view algorithm, std::string_view parameters,
                        std::string_view why);

/// 2^class is the least power of two that is no less than `bytes`.
int size_class_of(std::size_t bytes);

/// How often this process ran an algorithm of a collective.
unsigned long long calls_of(std::string_view collective, std::string_view algorithm);

/// Calls are to be timed.
bool explains();

/// Adds to a row the time from here to the end of the block, if calls are to be timed.
class Stopwatch {
 public:
  explicit Stopwatch(ExplainRow* row) : row_(explains() ? row : nullptr) {
    if (row_ != nullptr) begin_ = PMPI_Wtime();
  }
  ~Stopwatch() {
    if (row_ != nullptr)
      row_->nanoseconds.fetch_add(static_cast<std::uint64_t>((PMPI_Wtime() - begin_) * 1e9),
                                  std::memory_order_relaxed);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  ExplainRow* row_;
  double begin_ = 0;
};

/// Reports when the MPI is finalized, if the settings ask for it. Every process of the world must
/// come here.
void explain_at_finalize();

}  // namespace tutti
