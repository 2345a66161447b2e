// How the clocks of the world's ranks differ.

#pragma once

#include <mpi.h>

#include <cstdint>

#include "execute/clock_offset.hpp"

namespace tutti::core {

/// Nanoseconds on this rank's clock, which never goes back.
std::int64_t clock_now();

/// How the clocks of the world's ranks differ. Ranks of one system have one clock; another system's
/// is compared by the fastest of some messages to its first rank and back, when the program begins
/// and when it ends, so that clocks may drift.
class Clocks {
 public:
  /// Both collective.
  void begin();
  void end();

  const ClockOffset& offset() const { return offset_; }
  /// A time of this rank as rank 0's clock has it.
  std::int64_t at_rank_0(std::int64_t mine) const {
    return mine + static_cast<std::int64_t>(offset_.at(mine));
  }
  /// How many clocks there are, and by how much they may be wrong, in nanoseconds.
  int number() const { return number_; }
  double error() const { return error_; }

 private:
  void compare();

  MPI_Comm comm_ = MPI_COMM_NULL;  // of the world, our own
  ClockOffset offset_;
  int number_ = 1;
  double error_ = 0;
};

}  // namespace tutti::core
