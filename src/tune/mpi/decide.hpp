#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "model/profile.hpp"

namespace tutti::core {

struct DecideOptions {
  double budget = 20;                     // seconds to measure; a simulation takes its time
  bool exhaustive = false;                // every candidate at every size, whatever time it takes
  std::vector<Collective> collectives{};  // empty: all
  std::vector<std::size_t> sizes{};       // in rising order; empty: 8 bytes to 16 MB
  /// On rank 0, now and then: how much is done, and what comes next.
  std::function<void(double share, const std::string& what)> progress{};
};

/// What came out; all but the first on rank 0 only.
struct Decided {
  /// A size at which another than the model's choice is faster beyond noise.
  struct Change {
    Collective collective;
    std::size_t bytes;
    std::string model, chosen;
    double gain;  // its time over the other's
  };
  bool interrupted = false;  // and nothing was decided
  std::string topology{};
  std::size_t sizes = 0;       // of all collectives, refined ones, too
  std::size_t measured = 0;    // of those
  std::size_t candidates = 0;  // measured, at all of them
  double ranking = 0, seconds = 0;
  std::vector<Change> changes{};
};

/// Puts a row for each collective on the communicator's topology into the profile's decision table,
/// in place of what was there. The model ranks all candidates; those that lie within its error, and
/// the MPI's own, are measured in turns, who is clearly slower leaves, the others are measured more
/// often. Collective; the profile, the same on all ranks before, is so afterwards; of options rank
/// 0's count. Throws on all ranks alike.
Decided decide(MPI_Comm comm, Profile& profile, const DecideOptions& options);

}  // namespace tutti::core
