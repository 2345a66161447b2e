#pragma once

#include <cstdint>

namespace tutti::core {

/// What a rank's clock lacks against rank 0's, in nanoseconds, compared at two times.
struct ClockOffset {
  std::int64_t first_time = 0, last_time = 0;  // on this rank's clock
  double first = 0, last = 0;
  double error = 0;
  int clock = 0;  // ranks of one clock have the same number

  /// In between the clocks drift evenly.
  double at(std::int64_t time) const {
    if (last_time <= first_time) return first;
    return first + (last - first) * static_cast<double>(time - first_time) /
                       static_cast<double>(last_time - first_time);
  }
};

}  // namespace tutti::core
