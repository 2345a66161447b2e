#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/match.hpp"

namespace tutti::core {

enum class Mutation : std::uint8_t {
  drop,            // an action
  drop_message,    // both ends of it
  duplicate,       // in the same round
  repeat,          // in a round of its own
  swap_actions,    // any two of one rank
  swap_rounds,     // of one rank
  swap_slices,     // of one action
  redirect,        // to another peer
  shrink,          // one slice by one element
  shrink_message,  // at both ends, or what a copy or reduce reads and writes
  shift,           // one slice by one element
  mis_side,        // left for right
  change_constant  // a number that stands in scratch from the start
};
inline constexpr std::array<std::string_view, 13> mutation_names = {
    "drop",        "drop_message", "duplicate",      "repeat", "swap_actions",
    "swap_rounds", "swap_slices",  "redirect",       "shrink", "shrink_message",
    "shift",       "mis_side",     "change_constant"};

/// A schedule taken apart, so that it can be changed.
struct Loose {
  Action action;
  Slices slices, sources;
};
using LooseRounds = std::vector<std::vector<Loose>>;

inline LooseRounds take_apart(const Schedule& schedule) {
  LooseRounds rounds;
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    auto& round = rounds.emplace_back();
    for (const Action& action : schedule.round(t)) {
      const auto slices = schedule.slices_of(action), sources = schedule.sources_of(action);
      round.push_back({action, {slices.begin(), slices.end()}, {sources.begin(), sources.end()}});
    }
  }
  return rounds;
}

/// What take_apart took; scratch, constants and stages are those of the original.
inline Schedule put_together(const LooseRounds& rounds, const Schedule& original) {
  Schedule schedule = original;
  schedule.slices.clear();
  schedule.actions.clear();
  schedule.rounds.clear();
  const auto pool = [&](const Slices& slices) {
    const auto first = static_cast<std::uint32_t>(schedule.slices.size());
    schedule.slices.insert(schedule.slices.end(), slices.begin(), slices.end());
    const auto last = static_cast<std::uint32_t>(schedule.slices.size());
    return first == last ? std::pair(0U, 0U) : std::pair(first, last);
  };
  for (const auto& round : rounds) {
    schedule.rounds.push_back(static_cast<std::uint32_t>(schedule.actions.size()));
    for (const Loose& loose : round) {
      Action action = loose.action;
      std::tie(action.from_first, action.from_last) = pool(loose.sources);
      std::tie(action.first, action.last) = pool(loose.slices);
      schedule.actions.push_back(action);
    }
  }
  return schedule;
}

/// Mutates a random action of a random rank. Says what it did; nothing if there is nothing to
/// mutate in this way where it looked.
class Mutator {
 public:
  Mutator(const std::vector<Schedule>& schedules, std::mt19937_64& random)
      : schedules_(schedules), random_(random) {}

  std::optional<std::vector<Schedule>> mutate(Mutation mutation) {
    if (mutation == Mutation::change_constant) return change_constant();
    const Rank rank = static_cast<Rank>(draw(schedules_.size()));
    const Schedule& schedule = schedules_[rank];
    if (schedule.actions.empty()) return std::nullopt;
    const Place place = place_of(rank, draw(schedule.actions.size()));
    what = std::string(mutation_names[static_cast<std::size_t>(mutation)]) + " on rank " +
           std::to_string(rank) + ", round " + std::to_string(place.round) + ": " +
           describe(schedule, schedule.actions[place.action]);
    parts_.clear();
    for (const Schedule& one : schedules_) parts_.push_back(take_apart(one));
    if (!change(mutation, place)) return std::nullopt;
    std::vector<Schedule> mutant;
    for (std::size_t r = 0; r < schedules_.size(); ++r)
      mutant.push_back(put_together(parts_[r], schedules_[r]));
    return mutant;
  }

  /// The last mutation, as a person reads it.
  std::string what;

 private:
  std::size_t draw(std::size_t number) { return random_() % number; }

  Place place_of(Rank rank, std::size_t action) const {
    const auto& rounds = schedules_[rank].rounds;
    const auto after = std::upper_bound(rounds.begin(), rounds.end(), action);
    return {rank, static_cast<int>(after - rounds.begin()) - 1, static_cast<int>(action)};
  }

  std::size_t in_round(const Place& place) const {
    return place.action - schedules_[place.rank].round_begin(place.round);
  }
  std::vector<Loose>& round(const Place& place) { return parts_[place.rank][place.round]; }
  Loose& loose(const Place& place) { return round(place)[in_round(place)]; }
  void drop(const Place& place) { round(place).erase(round(place).begin() + in_round(place)); }

  std::optional<Place> other_end(const Place& place) const {
    const Matching matching = match(schedules_);
    const int index = matching.message_of[place.rank][place.action];
    if (index < 0) return std::nullopt;
    const Message& message = matching.messages[index];
    return message.from == place ? message.to : message.from;
  }

  std::optional<std::vector<Schedule>> change_constant() {
    std::vector<Schedule> mutant = schedules_;
    const std::size_t rank = draw(mutant.size());
    auto& constants = mutant[rank].constants;
    if (constants.empty()) return std::nullopt;
    const std::size_t i = draw(constants.size());
    constants[i].value += 1 + draw(9);
    what = "change_constant on rank " + std::to_string(rank) + ", constant " + std::to_string(i);
    return mutant;
  }

  static void shorten(Slices& slices, std::size_t slice, bool from_the_front) {
    if (from_the_front) ++slices[slice].offset;
    --slices[slice].count;
  }

  bool change(Mutation mutation, const Place& place) {
    Loose& mine = loose(place);
    LooseRounds& rounds = parts_[place.rank];
    switch (mutation) {
      case Mutation::drop: drop(place); return true;
      case Mutation::drop_message: {
        const auto other = other_end(place);
        if (!other) return false;
        drop(*other);
        drop(place);
        return true;
      }
      case Mutation::duplicate: {
        const Loose copy = mine;
        round(place).insert(round(place).begin() + in_round(place), copy);
        return true;
      }
      case Mutation::repeat:
        rounds.insert(rounds.begin() + place.round + 1, std::vector<Loose>{mine});
        return true;
      case Mutation::swap_actions: {
        const Place other = place_of(place.rank, draw(schedules_[place.rank].actions.size()));
        if (other == place) return false;
        std::swap(mine, loose(other));
        return true;
      }
      case Mutation::swap_rounds: {
        const std::size_t other = draw(rounds.size());
        std::swap(round(place), rounds[other]);
        return other != static_cast<std::size_t>(place.round);
      }
      case Mutation::swap_slices: {
        Slices& slices = mine.slices.size() > 1 ? mine.slices : mine.sources;
        if (slices.size() < 2) return false;
        const std::size_t i = draw(slices.size());
        std::swap(slices[i], slices[(i + 1) % slices.size()]);
        return true;
      }
      case Mutation::redirect: {
        const auto peer = static_cast<Rank>(draw(schedules_.size()));
        if (!mine.action.is_message() || peer == mine.action.peer) return false;
        mine.action.peer = peer;
        return true;
      }
      case Mutation::shrink: {
        Slices& slices = mine.sources.empty() || draw(2) == 0 ? mine.slices : mine.sources;
        if (slices.empty()) return false;
        shorten(slices, draw(slices.size()), draw(2) == 0);
        return true;
      }
      case Mutation::shrink_message: {
        const auto other = other_end(place);
        Slices& theirs = other ? loose(*other).slices : mine.sources;
        if (mine.slices.empty() || theirs.empty()) return false;
        const bool front = draw(2) == 0;
        shorten(mine.slices, front ? 0 : mine.slices.size() - 1, front);
        shorten(theirs, front ? 0 : theirs.size() - 1, front);
        return true;
      }
      case Mutation::shift: {
        Slices& slices = mine.sources.empty() || draw(2) == 0 ? mine.slices : mine.sources;
        if (slices.empty()) return false;
        Slice& slice = slices[draw(slices.size())];
        slice.offset += slice.offset == 0 || draw(2) == 0 ? 1 : -1;
        return true;
      }
      case Mutation::mis_side:
        mine.action.side = mine.action.side == Side::left ? Side::right : Side::left;
        return mine.action.combines();
      case Mutation::change_constant: break;  // no action has it
    }
    return false;
  }

  const std::vector<Schedule>& schedules_;
  std::mt19937_64& random_;
  std::vector<LooseRounds> parts_;
};

}  // namespace tutti::core
