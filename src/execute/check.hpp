#pragma once

#include <string>
#include <vector>

#include "execute/local.hpp"

namespace tutti::core {

/// How a check runs: see LocalOptions. The seed also draws the data.
struct CheckOptions {
  std::uint64_t seed = 0;
  bool synchronous = true;
};

/// Runs the schedules on random data and compares every byte of every rank's buffers with the
/// collective's definition. Reductions use an operator that is not commutative unless the problem's
/// is; a barrier is run with each rank late, and nobody may leave before it comes. Says what is
/// wrong; empty: nothing.
std::string run_and_check(const Problem& problem, const std::vector<Schedule>& schedules,
                          const CheckOptions& options);

/// The same for an algorithm, whose generators are driven stage by stage.
std::string run_and_check(const Problem& problem, const Algorithm& algorithm,
                          const Parameters& parameters, const CheckOptions& options);

}  // namespace tutti::core
