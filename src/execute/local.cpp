// All ranks in one process, on real data, in any order of messages.

#include "execute/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "execute/local_round.hpp"

namespace tutti::core {

LocalExecution::LocalExecution(std::vector<Schedule> schedules, LocalOptions options)
    : options_(std::move(options)), ranks_(schedules.size()) {
  for (std::size_t r = 0; r < ranks_.size(); ++r) ranks_[r].complete = std::move(schedules[r]);
}

LocalExecution::LocalExecution(const Problem& problem, const Algorithm& algorithm,
                               const Parameters& parameters, LocalOptions options)
    : generator_([=, &algorithm](Rank rank) {
        return Generator(algorithm, problem.call(rank), parameters);
      }),
      options_(std::move(options)),
      ranks_(problem.p) {}

void LocalExecution::start(const std::vector<LocalBuffers>& buffers) {
  if (buffers.size() != ranks_.size())
    throw std::invalid_argument(fmt::format(
        "local execution: buffers for {} ranks given, {} needed", buffers.size(), ranks_.size()));
  random_.seed(options_.seed);
  channels_.clear();
  events_.clear();
  failure_.clear();
  done_ = false;
  for (Rank r = 0; r < static_cast<Rank>(ranks_.size()); ++r) {
    LocalRank fresh{.rank = r, .memory = LocalMemory(options_.element_bytes)};
    if (generator_) fresh.generator = generator_(r);
    fresh.complete = std::move(ranks_[r].complete);
    fresh.memory.set(Buffer::input, buffers[r].input);
    fresh.memory.set(Buffer::output, buffers[r].output);
    ranks_[r] = std::move(fresh);
    if (r != options_.late) events_.push_back({.what = Event::enter, .rank = r});
  }
}

bool LocalExecution::progress() {
  if (done_ || !failure_.empty()) return false;
  const bool all_but_late = events_.empty() && options_.late >= 0 && !entered(options_.late);
  if (all_but_late) events_.push_back({.what = Event::enter, .rank = options_.late});
  try {
    if (events_.empty()) {
      conclude();
      done_ = true;
      return false;
    }
    std::swap(events_[random_() % events_.size()], events_.back());
    const Event event = events_.back();
    events_.pop_back();
    switch (event.what) {
      case Event::enter: next_round(event.rank); break;
      case Event::leave: leave(event.rank, event.to); break;
      case Event::arrive: arrive(event.rank, event.to); break;
      case Event::local: {
        LocalRank& rank = ranks_[event.rank];
        const Schedule& schedule = rank.schedule();
        const Action& action = schedule.actions[event.action];
        put(event.rank, event.action, rank.memory.gather(schedule.sources_of(action)));
      }
    }
    return true;
  } catch (const LocalFailure& failed) {
    failure_ = failed.what();
    return false;
  }
}

/// Goes on to the next round in which there is something to do.
void LocalExecution::next_round(Rank rank) {
  LocalRank& state = ranks_[rank];
  if (state.round < 0) state.prepare_scratch(random_);
  ++state.round;
  while (true) {
    if (!state.generator) state.check_learned();
    if (state.round < static_cast<int>(state.schedule().round_count())) {
      open_round(state, static_cast<Rank>(ranks_.size()), static_cast<bool>(options_.reduction));
      state.unfinished = state.open.size();
      const std::size_t begin = state.schedule().round_begin(state.round);
      for (std::size_t i = 0; i < state.open.size(); ++i) open_action(rank, begin + i);
      if (state.unfinished > 0) return;
      ++state.round;
    } else if (state.generator && !state.generator->finished()) {
      state.learn();
      state.prepare_scratch(random_);
    } else {
      state.done = true;
      return;
    }
  }
}

void LocalExecution::open_action(Rank rank, std::size_t a) {
  const Action& action = ranks_[rank].schedule().actions[a];
  if (action.sends()) {
    channel(rank, action.peer).sends.push_back(a);
    if (options_.synchronous)
      announce(rank, action.peer);
    else
      events_.push_back({.what = Event::leave, .rank = rank, .to = action.peer});
  } else if (action.receives()) {
    channel(action.peer, rank).recvs.push_back(a);
    announce(action.peer, rank);
  } else {
    events_.push_back({.what = Event::local, .rank = rank, .action = a});
  }
}

/// A message may arrive when both its ends are there.
void LocalExecution::announce(Rank from, Rank to) {
  Channel& between = channel(from, to);
  const std::size_t sent = options_.synchronous ? between.sends.size() : between.travelling.size();
  if (between.announced == std::min(sent, between.recvs.size())) return;
  ++between.announced;
  events_.push_back({.what = Event::arrive, .rank = from, .to = to});
}

void LocalExecution::leave(Rank from, Rank to) {
  channel(from, to).travelling.push_back(end_send(from, to));
  announce(from, to);
  finish(from, 1);
}

void LocalExecution::arrive(Rank from, Rank to) {
  Channel& between = channel(from, to);
  --between.announced;
  Bytes bytes;
  if (options_.synchronous) {
    bytes = end_send(from, to);
  } else {
    bytes = std::move(between.travelling.front());
    between.travelling.pop_front();
  }
  const std::size_t recv = between.recvs.front();
  between.recvs.pop_front();
  put(to, recv, std::move(bytes));
  if (options_.synchronous) finish(from, 1);
}

/// Ends the oldest send and gives what it sent.
LocalExecution::Bytes LocalExecution::end_send(Rank from, Rank to) {
  std::deque<std::size_t>& sends = channel(from, to).sends;
  const std::size_t send = sends.front();
  sends.pop_front();
  return ranks_[from].send(send);
}

void LocalExecution::put(Rank rank, std::size_t action, Bytes bytes) {
  const std::size_t ended = ranks_[rank].put(action, std::move(bytes), options_.reduction);
  if (ended > 0) finish(rank, ended);
}

void LocalExecution::finish(Rank rank, std::size_t actions) {
  ranks_[rank].unfinished -= actions;
  if (ranks_[rank].unfinished == 0) next_round(rank);
}

/// Nothing can happen any more: is everything done, and nothing left over?
void LocalExecution::conclude() const {
  for (const LocalRank& rank : ranks_) rank.conclude();
  for (const auto& [index, between] : channels_)
    if (!between.travelling.empty())
      throw LocalFailure(fmt::format("rank {}: a message to {} is never received",
                                     index / ranks_.size(), index % ranks_.size()));
}

}  // namespace tutti::core
