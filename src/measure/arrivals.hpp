// When ranks come to calls, and what they wait for each other.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// One rank's part in a collective call; times in nanoseconds.
struct Arrival {
  std::uint64_t call = 0;  // which of its communicator's calls
  std::int64_t begin = 0;  // when the rank came
  std::int64_t time = 0;   // how long it stayed
  std::int64_t root = 0;
};

/// Arrivals in calls that are alike: all of them, or, when they are more than fit, half of the
/// calls, a quarter, and so on. The calls' numbers alone decide which, so all ranks keep the same,
/// and no rhythm of the program decides what is seen.
class Arrivals {
 public:
  explicit Arrivals(std::size_t most) : most_(most) {}

  void note(const Arrival& arrival) {
    if (most_ == 0 || (mixed(arrival.call) & mask_) != 0) return;
    kept_.push_back(arrival);
    if (kept_.size() > most_) thin_out();
  }
  const std::vector<Arrival>& kept() const { return kept_; }

 private:
  /// Every bit of the result depends on every bit of the number.
  static std::uint64_t mixed(std::uint64_t number);
  void thin_out();

  std::size_t most_;
  std::uint64_t mask_ = 0;
  std::vector<Arrival> kept_;
};

/// What ranks waited for others in calls that all of them noted, in seconds.
struct Waiting {
  std::size_t calls = 0;
  std::vector<double> time;    // by rank: in those calls
  std::vector<double> waited;  // by rank: of that
  std::vector<double> caused;  // by rank: of what all waited, for this one
};

/// A rank waits until the last of those has come whose data it needs: all, or the root of a bcast
/// or scatter, or in a scan the ranks before it; of a gather or reduce only the root waits. That is
/// the part of a call which no algorithm can shorten. `ranks`: the arrivals of each, on one clock.
Waiting waiting_of(Collective collective, const std::vector<std::vector<Arrival>>& ranks);

/// `0-3`, `0,2,5-7`; the first few of many, and how many there are.
std::string format_ranks(const std::vector<int>& ranks);

}  // namespace tutti::core
