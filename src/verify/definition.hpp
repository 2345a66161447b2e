#pragma once

#include "schedule/problem.hpp"

namespace tutti::core {

/// A collective is a pre- and a postcondition. Every rank contributes a row of elements, numbered
/// from 0: its block, its vector, or all its outgoing blocks.

/// Before the first round: `where` holds elements index, index + 1, ... of rank's contribution.
struct Given {
  Slice where;
  Rank rank = 0;
  std::size_t index = 0;
};

/// At the end: `where` holds elements index, ... of the contributions of ranks first..last,
/// combined by the operator (first == last: that rank's own data, moved).
struct Wanted {
  Slice where;
  Rank first = 0, last = 0;
  std::size_t index = 0;
};

/// What stands in a rank's buffers when it calls.
std::vector<Given> given(const Problem& problem, Rank rank);

/// What must stand in a rank's output at the end. All else in it must be as it was.
std::vector<Wanted> wanted(const Problem& problem, Rank rank);

}  // namespace tutti::core
