#pragma once

#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/match.hpp"

namespace tutti::core {

/// What is wrong, and where: rank, round, action and index are -1 where they have no meaning.
struct Finding {
  std::string algorithm;
  int p = 0;
  Rank rank = -1;
  int round = -1;
  int action = -1;  // within the round
  long index = -1;  // the element
  std::string message;

  std::string describe() const;
};

/// Executes all ranks' schedules symbolically and compares with the collective's definition. Knows
/// no algorithm. Stops at the first few findings; none means proved.
std::vector<Finding> verify(const Problem& problem, const std::vector<Schedule>& schedules,
                            const std::string& name = {});

/// The same for an algorithm, whose generators are driven stage by stage.
std::vector<Finding> verify(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters);

/// A digest of all that ranks end with, as expressions: where it is equal, so are results to the
/// last bit. `swaps`: for the operator a op b is exactly b op a. Throws std::runtime_error if the
/// schedules are wrong.
std::uint64_t result_digest(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters, bool swaps);

/// All ranks' complete schedules: stages are run symbolically so that they learn what they ask for.
/// Throws std::runtime_error if they cannot be completed.
std::vector<Schedule> schedules_of(const Problem& problem, const Algorithm& algorithm,
                                   const Parameters& parameters);

/// What stands where, symbolically, after each step (see Steps): for pictures and for tests that
/// follow a paper's example.
struct Held {
  Slice where;
  std::vector<Rank> ranks;  // the contributions combined here, in operand order; one: moved data
  std::size_t index = 0;    // first element of the contribution(s)
};
/// result[step][rank]: what the rank holds when the messages of the step have arrived; step 0 is
/// after local actions that need no message.
std::vector<std::vector<std::vector<Held>>> held_after_steps(
    const Problem& problem, const std::vector<Schedule>& schedules);

}  // namespace tutti::core
