// Runs all ranks' schedules symbolically: rounds, messages that meet, stages that learn.

#include "verify/symbolic_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "verify/outcome.hpp"
#include "verify/round_rules.hpp"

namespace tutti::core {

namespace {

constexpr std::size_t most_findings = 5;

}  // namespace

std::vector<Finding> SymbolicRun::run() {
  for (Rank r = 0; r < problem_.p; ++r) prepare(r);
  for (Rank r = 0; r < problem_.p; ++r) ready_.push_back(r);
  while (!ready_.empty() && findings_.empty()) {
    const Rank r = ready_.front();
    ready_.pop_front();
    advance(r);
  }
  if (findings_.empty()) look_for_deadlock();
  if (findings_.empty()) compare();
  return std::move(findings_);
}

void SymbolicRun::find(Rank rank, int action, long index, std::string message) {
  Finding finding{name_, problem_.p, rank, -1, -1, index, std::move(message)};
  if (rank >= 0 && action >= 0) {
    finding.round = states_[rank].round;
    finding.action = action - static_cast<int>(schedule(rank).round_begin(finding.round));
  }
  if (findings_.size() < most_findings) findings_.push_back(std::move(finding));
}

void SymbolicRun::prepare(Rank r) {
  State& state = states_.emplace_back();
  state.contents(Buffer::input).resize(problem_.input_count(r), expressions_.initial(r));
  state.contents(Buffer::output).resize(problem_.output_count(r), expressions_.initial(r));
  for (const Given& given : given(problem_, r)) {
    const Piece piece{given.where.count, expressions_.contribution(given.rank), given.index};
    state.contents(given.where.buffer).write(given.where.offset, &piece, 1);
  }
  grow_scratch(r, 0);
  if (problem_.collective == Collective::barrier) {
    state.entered.assign(problem_.p, false);
    state.entered[r] = true;
  }
  initial_outputs_.push_back(state.contents(Buffer::output));
}

void SymbolicRun::grow_scratch(Rank r, std::size_t first_constant) {
  Contents& scratch = states_[r].contents(Buffer::scratch);
  scratch.resize(schedule(r).scratch, Expressions::undefined);
  const auto& constants = schedule(r).constants;
  for (std::size_t i = first_constant; i < constants.size(); ++i) {
    if (constants[i].offset + sizeof(std::uint64_t) > schedule(r).scratch) {
      find(r, -1, static_cast<long>(constants[i].offset), "a constant lies outside the scratch");
      continue;
    }
    const Piece piece{sizeof(std::uint64_t), expressions_.constant(constants[i].value), 0};
    scratch.write(constants[i].offset, &piece, 1);
  }
}

void SymbolicRun::advance(Rank r) {
  while (states_[r].open == 0 && !states_[r].done && findings_.empty()) {
    finish_round(r);
    if (on_round) on_round(r, states_[r].round);
    ++states_[r].round;
    if (!generators_) check_learned(r);
    const auto at_the_end = [&] {
      return states_[r].round == static_cast<int>(schedule(r).round_count());
    };
    while (at_the_end() && go_on_to_next_stage(r)) {
    }
    if (at_the_end())
      states_[r].done = true;
    else
      begin_round(r);
  }
}

void SymbolicRun::begin_round(Rank r) {
  const Schedule& s = schedule(r);
  State& state = states_[r];
  const int round = state.round;
  const Sizes sizes{state.contents(Buffer::input).size(), state.contents(Buffer::output).size(),
                    state.contents(Buffer::scratch).size()};
  const OnFault on_fault = [&](int action, long index, std::string message) {
    find(r, action, index, std::move(message));
  };
  if (!check_slices(s, round, r, problem_.p, sizes, on_fault) ||
      !check_overlaps(s, round, on_fault))
    return;
  const auto sends = [&](const Posted& posted) {
    return schedule(posted.rank).actions[posted.action].sends();
  };
  for (std::size_t a = s.round_begin(round); a < s.round_end(round); ++a) {
    const Action& action = s.actions[a];
    if (!action.is_message()) continue;
    Posted mine{r, static_cast<int>(a), 0};
    if (action.sends()) mine.payload = pack(r, action);
    const Rank from = action.sends() ? r : action.peer, to = action.sends() ? action.peer : r;
    auto& waiting =
        waiting_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)];
    if (waiting.empty() || sends(waiting.front()) == action.sends()) {
      waiting.push_back(mine);
      ++state.open;
      continue;
    }
    const Posted other = waiting.front();
    waiting.pop_front();
    if (!meet(action.sends() ? mine : other, action.sends() ? other : mine)) return;
    if (--states_[other.rank].open == 0 && other.rank != r) ready_.push_back(other.rank);
  }
}

bool SymbolicRun::meet(const Posted& send, const Posted& recv) {
  const std::size_t wanted_count =
      schedule(recv.rank).count_of(schedule(recv.rank).actions[recv.action]);
  if (payloads_[send.payload].count != wanted_count) {
    find(recv.rank, recv.action, -1,
         fmt::format("expects {} elements, but rank {} sends {}", wanted_count, send.rank,
                     payloads_[send.payload].count));
    return false;
  }
  states_[recv.rank].arrived.emplace_back(recv.action, send.payload);
  return true;
}

std::size_t SymbolicRun::pack(Rank r, const Action& action) {
  std::size_t slot = payloads_.size();
  if (free_payloads_.empty()) {
    payloads_.emplace_back();
  } else {
    slot = free_payloads_.back();
    free_payloads_.pop_back();
  }
  State& state = states_[r];
  Payload& payload = payloads_[slot];
  payload.pieces.clear();
  payload.count = 0;
  for (const Slice& slice : schedule(r).slices_of(action)) {
    state.contents(slice.buffer).read(slice.offset, slice.count, payload.pieces);
    payload.count += slice.count;
  }
  payload.entered = state.entered;
  for (const Piece& piece : payload.pieces)
    if (piece.id == Expressions::undefined)
      find(r, static_cast<int>(&action - schedule(r).actions.data()), -1,
           "sends scratch that nobody has written");
  return slot;
}

void SymbolicRun::finish_round(Rank r) {
  State& state = states_[r];
  if (state.round < 0) return;
  const Schedule& s = schedule(r);
  std::sort(state.arrived.begin(), state.arrived.end());
  auto arrival = state.arrived.begin();
  // Local actions read what stood there when the round began; the overlap rule makes that true.
  for (std::size_t a = s.round_begin(state.round); a < s.round_end(state.round); ++a) {
    const Action& action = s.actions[a];
    if (action.sends()) continue;
    if (action.receives()) {
      const std::size_t payload = arrival->second;
      ++arrival;
      store(r, static_cast<int>(a), payloads_[payload].pieces);
      for (std::size_t i = 0; i < state.entered.size(); ++i)
        if (payloads_[payload].entered[i]) state.entered[i] = true;
      free_payloads_.push_back(payload);
    } else {
      std::vector<Piece> pieces;
      for (const Slice& slice : s.sources_of(action))
        state.contents(slice.buffer).read(slice.offset, slice.count, pieces);
      store(r, static_cast<int>(a), pieces);
    }
  }
  state.arrived.clear();
}

void SymbolicRun::store(Rank r, int a, const std::vector<Piece>& incoming) {
  State& state = states_[r];
  const Action& action = schedule(r).actions[a];
  std::vector<Piece> result = incoming;
  if (action.combines()) {
    std::vector<Piece> mine;
    const bool elsewhere = action.receives() && action.from_first != action.from_last;
    for (const Slice& slice :
         elsewhere ? schedule(r).sources_of(action) : schedule(r).slices_of(action))
      state.contents(slice.buffer).read(slice.offset, slice.count, mine);
    result = action.side == Side::left ? combine(expressions_, incoming, mine)
                                       : combine(expressions_, mine, incoming);
  }
  // Cut the pieces to the slices they go to.
  std::size_t i = 0, used = 0;
  std::vector<Piece> part;
  for (const Slice& slice : schedule(r).slices_of(action)) {
    part.clear();
    for (std::size_t left = slice.count; left > 0;) {
      const std::size_t take = std::min(left, result[i].count - used);
      part.push_back({take, result[i].id, result[i].index + used});
      used += take;
      left -= take;
      if (used == result[i].count) ++i, used = 0;
    }
    state.contents(slice.buffer).write(slice.offset, part.data(), part.size());
  }
}

bool SymbolicRun::go_on_to_next_stage(Rank r) {
  if (!generators_ || (*generators_)[r].finished()) return false;
  const auto learned = numbers_in(r, schedule(r).stages.back().slice);
  if (!learned) return false;
  const std::size_t constants = schedule(r).constants.size();
  (*generators_)[r].resume(*learned);
  grow_scratch(r, constants);
  return true;
}

void SymbolicRun::check_learned(Rank r) {
  for (const StageEnd& stage : schedule(r).stages) {
    if (static_cast<int>(stage.rounds) != states_[r].round) continue;
    const auto learned = numbers_in(r, stage.slice);
    if (learned && *learned != stage.learned)
      find(r, -1, static_cast<long>(stage.slice.offset),
           fmt::format("learns {}, but the next stage was made for {}", fmt::join(*learned, ", "),
                       fmt::join(stage.learned, ", ")));
  }
}

std::optional<std::vector<std::size_t>> SymbolicRun::numbers_in(Rank r, const Slice& slice) {
  const Contents& contents = states_[r].contents(slice.buffer);
  std::vector<Piece> pieces;
  const std::size_t size = contents.size();
  if (slice.end() > size || slice.end() < slice.offset) {
    find(r, -1, static_cast<long>(size), "learns from outside the buffer");
    return std::nullopt;
  }
  contents.read(slice.offset, slice.count, pieces);
  std::vector<std::size_t> numbers;
  for (const Piece& piece : pieces) {
    if (!expressions_.is_constant(piece.id) || piece.index != 0 ||
        piece.count != sizeof(std::uint64_t)) {
      find(r, -1, static_cast<long>(slice.offset),
           fmt::format("learns a count from {}", expressions_.describe(piece.id)));
      return std::nullopt;
    }
    numbers.push_back(expressions_.constant_of(piece.id));
  }
  return numbers;
}

void SymbolicRun::look_for_deadlock() {
  for (Rank r = 0; r < problem_.p; ++r) {
    if (states_[r].done) continue;
    const Schedule& s = schedule(r);
    for (const auto& [pair, waiting] : waiting_)
      for (const Posted& posted : waiting)
        if (posted.rank == r)
          find(r, posted.action, -1,
               fmt::format("waits for ever: {}", describe(s, s.actions[posted.action])));
  }
  std::sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.rank, a.round, a.action) < std::tie(b.rank, b.round, b.action);
  });
}

void SymbolicRun::compare() {
  Outcome outcome(problem_, expressions_, [this](Rank r, long index, std::string message) {
    find(r, -1, index, std::move(message));
  });
  for (Rank r = 0; r < problem_.p && findings_.size() < most_findings; ++r)
    outcome.compare(r, states_[r].contents(Buffer::output), initial_outputs_[r],
                    states_[r].entered);
}

}  // namespace tutti::core
