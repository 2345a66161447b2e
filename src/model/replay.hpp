#pragma once

#include "algorithms/registry.hpp"

namespace tutti::core {

/// When each rank is done if all begin at 0, in seconds, on a single-ported full-duplex network.
///
/// A rank begins a round when its round before is done. A message begins when both ranks are in its
/// round, the sender's send port and the receiver's receive port are free; sends go out in the
/// order listed, a receiver takes who is ready first; where that order would stop everything for
/// ever, a send whose receiver is ready goes out of turn. Of S sends and R receives in a round the
/// first min(S, R) of each are exchanges, alpha + n beta; the others go one way, alpha_uni + n
/// beta_uni; where sender and receiver differ the slower view holds. A round ends when its messages
/// are done, plus gamma for every byte combined. Copies cost nothing.
///
/// Throws std::runtime_error if a message has no partner or the schedules deadlock.
std::vector<double> finish_times(const std::vector<Schedule>& schedules, std::size_t element_bytes,
                                 const Rates& rates);

/// The same in full.
struct Timeline {
  std::vector<std::vector<double>> round_ends;  // of each rank and round
  std::vector<double> begins, ends;             // of each message, in the order of match()
};
Timeline timeline_of(const std::vector<Schedule>& schedules, std::size_t element_bytes,
                     const Rates& rates);

/// When the last rank is done.
double replay(const std::vector<Schedule>& schedules, std::size_t element_bytes,
              const Rates& rates);

}  // namespace tutti::core
