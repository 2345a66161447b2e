#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tutti {

/// Nanoseconds on this rank's clock, which never goes back.
std::int64_t clock_now();

/// How the clocks of a communicator's ranks differ. Ranks of one system have one clock; another
/// system's is compared by the fastest of some messages to its first rank and back. Measured at the
/// begin and at the end, so that clocks may drift.
class Clocks {
 public:
  /// Collective.
  void measure(MPI_Comm comm);

  /// A time of this rank as rank 0's clock has it.
  std::int64_t at_rank_0(std::int64_t mine) const;
  /// How many clocks there are.
  int number() const { return number_; }
  /// By how much they may be wrong, in nanoseconds; rank 0 alone knows.
  std::int64_t error() const { return error_; }

 private:
  struct Measured {
    std::int64_t when, ahead;
  };
  std::vector<Measured> measured_;
  int number_ = 1;
  std::int64_t error_ = 0;
};

}  // namespace tutti
