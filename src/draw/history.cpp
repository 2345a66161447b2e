// What schedules do, state by state: what each rank holds and still needs, and what messages carry.

#include "draw/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "verify/definition.hpp"

namespace tutti::core {

namespace {

/// Slices that do not overlap.
class Region {
 public:
  void add(const Slice& slice) {
    remove(slice);
    if (slice.count > 0) slices_.push_back(slice);
  }
  void remove(const Slice& slice) {
    std::vector<Slice> left;
    for (const Slice& mine : slices_) {
      if (!mine.overlaps(slice)) {
        left.push_back(mine);
        continue;
      }
      if (mine.offset < slice.offset) left.push_back(mine.part(0, slice.offset - mine.offset));
      if (slice.end() < mine.end())
        left.push_back(mine.part(slice.end() - mine.offset, mine.end() - slice.end()));
    }
    slices_ = std::move(left);
  }
  const std::vector<Slice>& slices() const { return slices_; }

 private:
  std::vector<Slice> slices_;
};

/// What a rank still needs before each round and at the end: what it will read before it writes it,
/// and its result.
std::vector<Region> needed_before_rounds(const Problem& problem, const Schedule& schedule,
                                         Rank rank) {
  std::vector<Region> needed(schedule.round_count() + 1);
  for (const Wanted& result : wanted(problem, rank)) needed.back().add(result.where);
  for (std::size_t t = schedule.round_count(); t-- > 0;) {
    needed[t] = needed[t + 1];
    const auto round = schedule.round(t);
    for (auto action = round.rbegin(); action != round.rend(); ++action) {
      for (const Slice& slice : schedule.slices_of(*action)) {
        if (action->sends() || action->combines())
          needed[t].add(slice);
        else
          needed[t].remove(slice);
      }
      for (const Slice& slice : schedule.sources_of(*action)) needed[t].add(slice);
    }
  }
  return needed;
}

/// The part of `held` that lies in `slices`, in their order; what goes on is joined.
std::vector<Held> within(const std::vector<Held>& held, std::span<const Slice> slices) {
  std::vector<Held> result;
  for (const Slice& slice : slices)
    for (const Held& piece : held) {
      if (!piece.where.overlaps(slice)) continue;
      const std::size_t from = std::max(piece.where.offset, slice.offset);
      const std::size_t to = std::min(piece.where.end(), slice.end());
      const Held part{
          {slice.buffer, from, to - from}, piece.ranks, piece.index + from - piece.where.offset};
      Held* last = result.empty() ? nullptr : &result.back();
      if (last && last->where.buffer == slice.buffer && last->where.end() == from &&
          last->index + last->where.count == part.index && last->ranks == part.ranks)
        last->where.count += part.where.count;
      else
        result.push_back(part);
    }
  return result;
}

bool has_message(const Schedule& schedule, std::size_t round) {
  const auto actions = schedule.round(round);
  return std::any_of(actions.begin(), actions.end(),
                     [](const Action& action) { return action.is_message(); });
}

/// Schedules without their last round where it is only local, so that it gets a frame of its own.
std::vector<Schedule> without_local_end(std::vector<Schedule> schedules) {
  for (Schedule& schedule : schedules)
    if (schedule.stages.empty() && schedule.round_count() > 1 &&
        !has_message(schedule, schedule.round_count() - 1)) {
      schedule.actions.resize(schedule.rounds.back());
      schedule.rounds.pop_back();
    }
  return schedules;
}

std::vector<Held> sorted(std::vector<Held> held) {
  std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) {
    return std::pair(a.where.buffer, a.where.offset) < std::pair(b.where.buffer, b.where.offset);
  });
  return held;
}

using State = History::State;
using AfterSteps = std::vector<State>;

State at_start(const Problem& problem, const std::vector<std::vector<Region>>& needed) {
  State start;
  for (Rank r = 0; r < problem.p; ++r) {
    std::vector<Held> all;
    for (const Given& given : given(problem, r))
      all.push_back({given.where, {given.rank}, given.index});
    start.push_back(within(all, needed[r].front().slices()));
  }
  return start;
}

/// `cut`: the schedules without what is local at the end, `held`: what is there after their steps.
std::vector<State> states_of(const History& history, const std::vector<Schedule>& cut,
                             const AfterSteps& held) {
  const Problem& problem = history.problem;
  std::vector<std::vector<Region>> needed;  // of each rank, before each round
  for (Rank r = 0; r < problem.p; ++r)
    needed.push_back(needed_before_rounds(problem, history.schedules[r], r));
  std::vector<State> states{at_start(problem, needed)};
  for (std::size_t s = 0; s < held.size(); ++s) {
    State& state = states.emplace_back();
    for (Rank r = 0; r < problem.p; ++r) {
      std::size_t rounds = 0;
      while (rounds < cut[r].round_count() &&
             history.steps.of_round[r][rounds] <= static_cast<int>(s))
        ++rounds;
      state.push_back(sorted(within(held[s][r], needed[r][rounds].slices())));
    }
  }
  const State at_end = held_after_steps(problem, history.schedules).back();
  State& end = states.emplace_back();
  for (Rank r = 0; r < problem.p; ++r)
    end.push_back(sorted(within(at_end[r], needed[r].back().slices())));
  return states;
}

std::vector<std::vector<Held>> contents_of(const History& history, const AfterSteps& held) {
  std::vector<std::vector<Held>> contents;
  for (std::size_t m = 0; m < history.matching.messages.size(); ++m) {
    const Place& from = history.matching.messages[m].from;
    const Schedule& schedule = history.schedules[from.rank];
    contents.push_back(within(held[history.steps.of_message[m] - 1][from.rank],
                              schedule.slices_of(schedule.actions[from.action])));
  }
  return contents;
}

/// Makes the notation name all that is held or sent.
void cut_notation(History& history) {
  for (const State& state : history.states)
    for (const auto& all : state)
      for (const Data& data : data_of(all)) history.notation.cut(data);
  for (const auto& content : history.contents)
    for (const Data& data : data_of(content)) history.notation.cut(data);
  history.notation.finish();
}

}  // namespace

History history_of(const Problem& problem, const std::vector<Schedule>& schedules) {
  if (schedules.size() != static_cast<std::size_t>(problem.p))
    throw std::invalid_argument(fmt::format("a picture of {} ranks needs as many schedules, not {}",
                                            problem.p, schedules.size()));
  Matching matching = match(schedules);
  Steps steps = steps_of(schedules, matching);
  History history{problem, schedules, std::move(matching), std::move(steps), Notation(problem)};
  const std::vector<Schedule> cut = without_local_end(schedules);
  const auto held = held_after_steps(problem, cut);
  history.states = states_of(history, cut, held);
  history.contents = contents_of(history, held);
  for (const Schedule& schedule : cut) history.local_end.push_back(schedule.round_count());
  cut_notation(history);
  return history;
}

std::vector<Data> data_of(const std::vector<Held>& held) {
  std::vector<Data> all;
  for (const Held& piece : held) all.push_back({piece.ranks, piece.index, piece.where.count});
  return all;
}

void join(std::vector<Rank>& to, const std::vector<Rank>& from) {
  to.insert(to.end(), from.begin(), from.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

}  // namespace tutti::core
