// All ranks in one process, on real data, in any order of messages.

#include "execute/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace tutti::core {

namespace {

struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::byte guard_value{0xa5};
constexpr std::size_t number_bytes = sizeof(std::uint64_t);

/// Numbers in buffers are little-endian whatever the machine.
std::uint64_t read_number(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = number_bytes; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

void write_number(std::span<std::byte> bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < number_bytes; ++i) bytes[i] = static_cast<std::byte>(value >> 8 * i);
}

bool fits(const Slice& slice, std::size_t elements) {
  return slice.offset <= elements && slice.count <= elements - slice.offset;
}

}  // namespace

LocalExecution::Guarded::Guarded(const Bytes& content)
    : all_(content.size() + 2 * guard, guard_value) {
  std::copy(content.begin(), content.end(), bytes().begin());
}

bool LocalExecution::Guarded::intact() const {
  const auto is_guard = [](std::byte b) { return b == guard_value; };
  return std::all_of(all_.begin(), all_.begin() + guard, is_guard) &&
         std::all_of(all_.end() - guard, all_.end(), is_guard);
}

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
    State fresh;
    if (generator_) fresh.generator = generator_(r);
    fresh.complete = std::move(ranks_[r].complete);
    fresh.buffers[static_cast<int>(Buffer::input)] = Guarded(buffers[r].input);
    fresh.buffers[static_cast<int>(Buffer::output)] = Guarded(buffers[r].output);
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
        const Schedule& schedule = ranks_[event.rank].schedule();
        const Action& action = schedule.actions[event.action];
        put(event.rank, event.action, gather(event.rank, schedule.sources_of(action)));
      }
    }
    return true;
  } catch (const Failed& failed) {
    failure_ = failed.what();
    return false;
  }
}

/// Scratch that a stage adds is full of rubbish, except for its constants.
void LocalExecution::prepare_scratch(Rank rank) {
  State& state = ranks_[rank];
  const Schedule& schedule = state.schedule();
  Guarded& scratch = state.buffers[static_cast<int>(Buffer::scratch)];
  Bytes content(scratch.bytes().begin(), scratch.bytes().end());
  while (content.size() < schedule.scratch * options_.element_bytes)
    content.push_back(static_cast<std::byte>(random_()));
  for (; state.constants < schedule.constants.size(); ++state.constants) {
    const Constant& constant = schedule.constants[state.constants];
    if (options_.element_bytes != 1)
      fail(rank, "constants stand in bytes, but an element has more than one");
    if (constant.offset > content.size() || content.size() - constant.offset < number_bytes)
      fail(rank, fmt::format("the constant at scratch[{}] is outside the buffer", constant.offset));
    write_number(std::span(content).subspan(constant.offset, number_bytes), constant.value);
  }
  scratch = Guarded(content);
}

void LocalExecution::learn(Rank rank) {
  Generator& generator = *ranks_[rank].generator;
  generator.resume(numbers_in(rank, generator.schedule().stages.back().slice));
}

/// A complete schedule was made for what its stages learned then: they must learn the same now.
void LocalExecution::check_learned(Rank rank) {
  const State& state = ranks_[rank];
  for (const StageEnd& stage : state.schedule().stages)
    if (static_cast<int>(stage.rounds) == state.round &&
        numbers_in(rank, stage.slice) != stage.learned)
      fail(rank, "learns other numbers than those its next stage was made for");
}

std::vector<std::size_t> LocalExecution::numbers_in(Rank rank, const Slice& slice) {
  if (!fits(slice, bytes_of(rank, slice.buffer).size() / options_.element_bytes))
    fail(rank, "the stage learns from outside the buffer");
  const std::span<const std::byte> bytes = bytes_of(rank, slice);
  if (bytes.size() % number_bytes != 0)
    fail(rank, fmt::format("the stage learns from {} bytes, not from whole numbers", bytes.size()));
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < bytes.size(); i += number_bytes)
    numbers.push_back(read_number(bytes.subspan(i, number_bytes)));
  return numbers;
}

/// Goes on to the next round in which there is something to do.
void LocalExecution::next_round(Rank rank) {
  State& state = ranks_[rank];
  if (state.round < 0) prepare_scratch(rank);
  ++state.round;
  while (true) {
    if (!state.generator) check_learned(rank);
    if (state.round < static_cast<int>(state.schedule().round_count())) {
      check_round(rank);
      state.unfinished = state.open.size();
      const std::size_t begin = state.schedule().round_begin(state.round);
      for (std::size_t i = 0; i < state.open.size(); ++i) open_action(rank, begin + i);
      if (state.unfinished > 0) return;
      ++state.round;
    } else if (state.generator && !state.generator->finished()) {
      learn(rank);
      prepare_scratch(rank);
    } else {
      state.done = true;
      return;
    }
  }
}

/// Refuses what cannot be carried out, and chains the actions that write the same slices. All
/// others must leave each other alone: then their order does not matter.
void LocalExecution::check_round(Rank rank) {
  State& state = ranks_[rank];
  const Schedule& schedule = state.schedule();
  const std::size_t begin = schedule.round_begin(state.round);
  const std::size_t end = schedule.round_end(state.round);
  if (begin > end || end > schedule.actions.size()) fail(rank, "the round is not in the schedule");
  state.open.assign(end - begin, {});
  struct Access {
    Slice slice;
    bool writes;
    std::size_t action;
  };
  std::vector<Access> accesses;
  const auto access = [&](std::span<const Slice> slices, bool writes, std::size_t action) {
    for (const Slice& slice : slices)
      if (slice.count > 0) accesses.push_back({slice, writes, action});
  };
  std::map<std::pair<Buffer, std::size_t>, int> last_write;  // by where it begins
  for (std::size_t a = begin; a < end; ++a) {
    const Action& action = schedule.actions[a];
    const auto pool = schedule.slices.size();
    if (action.first > action.last || action.last > pool || action.from_first > action.from_last ||
        action.from_last > pool)
      fail(rank, "the slices of an action are not in the schedule");
    const std::span<const Slice> slices = schedule.slices_of(action);
    const std::span<const Slice> sources = schedule.sources_of(action);
    check_slices(rank, action, slices);
    check_slices(rank, action, sources);
    if (action.is_message() && (action.peer < 0 || action.peer >= static_cast<Rank>(ranks_.size())))
      fail(rank, action, "has no such peer");
    if (action.combines() && !options_.reduction)
      fail(rank, action, "has no reduction to combine with");
    if (action.sends()) {
      access(slices, false, a);
      continue;
    }
    if (std::ranges::find(slices, Buffer::input, &Slice::buffer) != slices.end())
      fail(rank, action, "writes to the input");
    access(sources, false, a);
    const auto first = std::ranges::find_if(slices, [](const Slice& one) { return one.count > 0; });
    if (first == slices.end()) continue;
    const int place = static_cast<int>(a - begin);
    const auto [last, is_first] = last_write.try_emplace({first->buffer, first->offset}, place);
    if (!is_first && action.combines() &&
        std::ranges::equal(slices, schedule.slices_of(schedule.actions[begin + last->second]))) {
      state.open[place].before = last->second;
      state.open[last->second].after = place;
      last->second = place;
    } else {
      access(slices, true, a);
    }
  }
  std::ranges::sort(accesses, {}, [](const Access& one) {
    return std::pair(one.slice.buffer, one.slice.offset);
  });
  // Of those that began before, only the one that reaches furthest matters.
  const Access* furthest = nullptr;
  const Access* furthest_write = nullptr;
  for (const Access& one : accesses) {
    const Access* other = one.writes ? furthest : furthest_write;
    if (other && other->slice.overlaps(one.slice))
      fail(rank, schedule.actions[one.action],
           "disturbs " + describe(schedule, schedule.actions[other->action]));
    const auto beyond = [&](const Access* far) {
      return !far || far->slice.buffer != one.slice.buffer || far->slice.end() < one.slice.end();
    };
    if (beyond(furthest)) furthest = &one;
    if (one.writes && beyond(furthest_write)) furthest_write = &one;
  }
}

void LocalExecution::check_slices(Rank rank, const Action& action,
                                  std::span<const Slice> slices) const {
  for (const Slice& slice : slices)
    if (!fits(slice, bytes_of(rank, slice.buffer).size() / options_.element_bytes))
      fail(rank, action, "is outside the buffer");
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
  State& state = ranks_[from];
  const std::size_t a = channel(from, to).sends.front();
  channel(from, to).sends.pop_front();
  state.open[a - state.schedule().round_begin(state.round)].ended = true;
  return gather(from, state.schedule().slices_of(state.schedule().actions[a]));
}

/// The bytes that an action writes have come; they and those that waited for them are applied.
void LocalExecution::put(Rank rank, std::size_t a, Bytes bytes) {
  State& state = ranks_[rank];
  const Schedule& schedule = state.schedule();
  const std::size_t begin = schedule.round_begin(state.round);
  const Action& action = schedule.actions[a];
  if (bytes.size() != schedule.count_of(action) * options_.element_bytes)
    fail(rank, action, fmt::format("gets {} elements", bytes.size() / options_.element_bytes));
  int place = static_cast<int>(a - begin);
  state.open[place].bytes = std::move(bytes);
  state.open[place].arrived = true;
  std::size_t ended = 0;
  for (; place >= 0 && state.open[place].arrived; place = state.open[place].after, ++ended) {
    Open& open = state.open[place];
    if (open.before >= 0 && !state.open[open.before].ended) break;
    apply(rank, schedule.actions[begin + place], open.bytes);
    open.ended = true;
  }
  if (ended > 0) finish(rank, ended);
}

void LocalExecution::apply(Rank rank, const Action& action, const Bytes& bytes) {
  const std::byte* incoming = bytes.data();
  for (const Slice& slice : ranks_[rank].schedule().slices_of(action)) {
    const std::span<std::byte> mine = bytes_of(rank, slice);
    if (!action.combines())
      std::copy_n(incoming, mine.size(), mine.begin());
    else if (action.side == Side::left)
      options_.reduction(incoming, mine.data(), mine.data(), slice.count);
    else
      options_.reduction(mine.data(), incoming, mine.data(), slice.count);
    incoming += mine.size();
  }
}

void LocalExecution::finish(Rank rank, std::size_t actions) {
  ranks_[rank].unfinished -= actions;
  if (ranks_[rank].unfinished == 0) next_round(rank);
}

/// Nothing can happen any more: is everything done, and nothing left over?
void LocalExecution::conclude() const {
  for (Rank r = 0; r < static_cast<Rank>(ranks_.size()); ++r) {
    const State& state = ranks_[r];
    for (const Guarded& buffer : state.buffers)
      if (!buffer.intact()) fail(r, "bytes outside a buffer were changed");
    if (state.done) continue;
    const std::span<const Action> round = state.schedule().round(state.round);
    for (std::size_t i = 0; i < round.size(); ++i)
      if (!state.open[i].ended) fail(r, round[i], "waits for ever");
  }
  for (const auto& [index, between] : channels_)
    if (!between.travelling.empty())
      throw Failed(fmt::format("rank {}: a message to {} is never received", index / ranks_.size(),
                               index % ranks_.size()));
}

void LocalExecution::fail(Rank rank, const std::string& what) const {
  throw Failed(fmt::format("rank {}, round {}: {}", rank, ranks_[rank].round, what));
}

void LocalExecution::fail(Rank rank, const Action& action, const std::string& what) const {
  fail(rank, fmt::format("{} {}", describe(ranks_[rank].schedule(), action), what));
}

LocalExecution::Bytes LocalExecution::gather(Rank rank, std::span<const Slice> slices) {
  Bytes bytes;
  for (const Slice& slice : slices) {
    const std::span<const std::byte> more = bytes_of(rank, slice);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

}  // namespace tutti::core
