#pragma once

#include <vector>

#include "draw/notation.hpp"
#include "schedule/match.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

/// What schedules do, as pictures and films tell it: what each rank holds and still needs, and what
/// messages carry.
struct History {
  using State = std::vector<std::vector<Held>>;  // of each rank
  const Problem& problem;
  const std::vector<Schedule>& schedules;
  Matching matching;
  Steps steps;
  Notation notation;
  /// At the start, after local actions, after each step, and after local actions at the end.
  std::vector<State> states{};
  std::vector<std::vector<Held>> contents{};  // of each message
  std::vector<std::size_t> local_end{};       // of each rank: the round from which all is local
};

/// Both must outlive it. The schedules must be complete and correct.
History history_of(const Problem& problem, const std::vector<Schedule>& schedules);

std::vector<Data> data_of(const std::vector<Held>& held);

/// Who acts locally, in frames or scenes for the history's states.
template <class Frames>
void add_local(Frames& frames, const History& history) {
  for (Rank r = 0; r < history.problem.p; ++r)
    for (std::size_t t = 0; t < history.schedules[r].round_count(); ++t) {
      auto& frame =
          t >= history.local_end[r] ? frames.back() : frames[history.steps.of_round[r][t] + 1];
      for (const Action& action : history.schedules[r].round(t)) {
        if (action.is_message()) continue;
        auto& ranks = action.kind == Kind::copy ? frame.copies : frame.reductions;
        if (ranks.empty() || ranks.back() != r) ranks.push_back(r);
      }
    }
}

/// Puts ranks together, sorted and each once.
void join(std::vector<Rank>& to, const std::vector<Rank>& from);

}  // namespace tutti::core
