// Which receive each send meets.

#include "schedule/match.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace tutti::core {

namespace {

/// One end of a message, to be paired: the k-th of its kind between two ranks.
struct End {
  Rank from, to;
  Place place;
};

std::vector<End> ends(const std::vector<Schedule>& schedules, bool sends) {
  std::vector<End> all;
  const int p = static_cast<int>(schedules.size());
  for (Rank r = 0; r < p; ++r)
    for (std::size_t t = 0; t < schedules[r].round_count(); ++t)
      for (std::size_t a = schedules[r].round_begin(t); a < schedules[r].round_end(t); ++a) {
        const Action& action = schedules[r].actions[a];
        if (sends ? !action.sends() : !action.receives()) continue;
        const Place place{r, static_cast<int>(t), static_cast<int>(a)};
        all.push_back(sends ? End{r, action.peer, place} : End{action.peer, r, place});
      }
  std::stable_sort(all.begin(), all.end(), [](const End& a, const End& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return all;
}

}  // namespace

Matching match(const std::vector<Schedule>& schedules) {
  Matching matching;
  for (const Schedule& schedule : schedules)
    matching.message_of.emplace_back(schedule.actions.size(), -1);
  const std::vector<End> sends = ends(schedules, true), recvs = ends(schedules, false);
  const auto before = [](const End& a, const End& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  };
  auto send = sends.begin();
  auto recv = recvs.begin();
  while (send != sends.end() || recv != recvs.end()) {
    if (recv == recvs.end() || (send != sends.end() && before(*send, *recv))) {
      matching.unmatched.push_back((send++)->place);
    } else if (send == sends.end() || before(*recv, *send)) {
      matching.unmatched.push_back((recv++)->place);
    } else {
      const int index = static_cast<int>(matching.messages.size());
      matching.message_of[send->place.rank][send->place.action] = index;
      matching.message_of[recv->place.rank][recv->place.action] = index;
      matching.messages.push_back({(send++)->place, (recv++)->place});
    }
  }
  return matching;
}

Steps steps_of(const std::vector<Schedule>& schedules, const Matching& matching) {
  const int p = static_cast<int>(schedules.size());
  struct At {
    int round = -1, start = 1, end = 0, open = 0;
  };
  Steps steps;
  steps.of_message.assign(matching.messages.size(), 0);
  std::vector<int> arrived(matching.messages.size(),
                           0);  // the first side's start, once it is there
  std::vector<At> at(p);
  std::deque<Rank> ready;
  for (Rank r = 0; r < p; ++r) {
    steps.of_round.emplace_back(schedules[r].round_count(), 0);
    ready.push_back(r);
  }
  std::size_t travelled = 0;
  while (!ready.empty()) {
    const Rank r = ready.front();
    ready.pop_front();
    At& mine = at[r];
    while (mine.open == 0 && mine.round < static_cast<int>(schedules[r].round_count())) {
      if (mine.round >= 0) steps.of_round[r][mine.round] = mine.end;
      if (++mine.round == static_cast<int>(schedules[r].round_count())) break;
      mine.start = mine.end + 1;
      for (std::size_t a = schedules[r].round_begin(mine.round);
           a < schedules[r].round_end(mine.round); ++a) {
        const int index = matching.message_of[r][a];
        if (index < 0) continue;
        if (arrived[index] == 0) {
          arrived[index] = mine.start;
          ++mine.open;
          continue;
        }
        const Message& message = matching.messages[index];
        const Rank other = message.from.rank == r ? message.to.rank : message.from.rank;
        const int step = std::max(mine.start, arrived[index]);
        steps.of_message[index] = step;
        steps.count = std::max(steps.count, step);
        ++travelled;
        mine.end = std::max(mine.end, step);
        at[other].end = std::max(at[other].end, step);
        if (--at[other].open == 0 && other != r) ready.push_back(other);
      }
    }
  }
  if (travelled != matching.messages.size())
    throw std::logic_error("steps_of: the schedules deadlock");
  return steps;
}

}  // namespace tutti::core
