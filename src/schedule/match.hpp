#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace tutti::core {

/// Where an action stands.
struct Place {
  Rank rank = -1;
  int round = -1;
  int action = -1;  // index into Schedule::actions
  bool operator==(const Place&) const = default;
};

/// A send and the receive it meets: the k-th message from a to b meets the k-th receive from a on
/// b.
struct Message {
  Place from, to;
};

struct Matching {
  std::vector<Message> messages;
  std::vector<Place> unmatched;  // sends without a receive, receives without a send
  /// For each rank and action: the index of its message, or -1.
  std::vector<std::vector<int>> message_of;
};

Matching match(const std::vector<Schedule>& schedules);

/// When each message travels if every rank goes on as soon as it can and all messages take one
/// step: steps count from 1. A round lasts from the step after the one before it to its last
/// message. Rounds without messages take no step. Needs schedules that are matched and free of
/// deadlock.
struct Steps {
  std::vector<int> of_message;
  std::vector<std::vector<int>> of_round;  // for each rank and round, its last step
  int count = 0;                           // communication rounds in all
};

Steps steps_of(const std::vector<Schedule>& schedules, const Matching& matching);

}  // namespace tutti::core
