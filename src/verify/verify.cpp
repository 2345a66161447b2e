// Executes all ranks' schedules symbolically and compares with the definition.

#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>

#include "verify/definition.hpp"
#include "verify/symbolic.hpp"

namespace tutti::core {

namespace {

constexpr std::size_t most_findings = 5;

/// What a message carries: symbolic data and, for a barrier, who is known to have entered.
struct Payload {
  std::vector<Piece> pieces;
  std::size_t count = 0;
  std::vector<bool> entered;
};

/// One end of a message that waits for the other.
struct Posted {
  Rank rank;
  int action;
  std::size_t payload;
};

struct State {
  int round = -1;
  int open = 0;  // messages of the round that have not met their other end
  bool done = false;
  Contents buffers[3];
  std::vector<bool> entered;
  std::vector<std::pair<int, std::size_t>> arrived;  // action, payload
};

/// Runs all ranks symbolically. Every send is synchronous: a round ends when all its messages have
/// met.
class SymbolicRun {
 public:
  SymbolicRun(const Problem& problem, const std::vector<Schedule>* schedules,
              std::vector<Generator>* generators, std::string name)
      : problem_(problem), schedules_(schedules), generators_(generators), name_(std::move(name)) {}

  std::vector<Finding> run() {
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

  /// Called with rank and round whenever a round has ended (round -1: before the first).
  std::function<void(Rank, int)> on_round;

  std::uint64_t digest(bool swaps) {
    const std::vector<std::uint64_t> of = expressions_.digests(swaps);
    std::uint64_t result = 0;
    const auto add = [&](std::uint64_t value) {
      result = (result ^ value) * 0x9E3779B97F4A7C15u;
      result ^= result >> 29;
    };
    std::vector<Piece> pieces;
    for (Rank r = 0; r < problem_.p; ++r) {
      pieces.clear();
      if (contents(r, Buffer::output).size() > 0)
        contents(r, Buffer::output).read(0, contents(r, Buffer::output).size(), pieces);
      // Pieces may be equal without having the same number.
      for (std::size_t i = 0, next = 0; i < pieces.size(); i = next) {
        std::size_t end = pieces[i].index + pieces[i].count;
        for (next = i + 1; next < pieces.size() && of[pieces[next].id] == of[pieces[i].id] &&
                           pieces[next].index == end;
             ++next)
          end += pieces[next].count;
        add(of[pieces[i].id]);
        add(pieces[i].index);
        add(end);
      }
      add(static_cast<std::uint64_t>(r));
    }
    return result;
  }

  std::vector<Held> held(Rank rank) {
    std::vector<Held> all;
    std::vector<Piece> pieces;
    for (const Buffer buffer : {Buffer::input, Buffer::output, Buffer::scratch}) {
      const Contents& contents = states_[rank].buffers[static_cast<int>(buffer)];
      pieces.clear();
      if (contents.size() > 0) contents.read(0, contents.size(), pieces);
      std::size_t offset = 0;
      for (const Piece& piece : pieces) {
        if (expressions_.is_value(piece.id))
          all.push_back({{buffer, offset, piece.count},
                         expressions_.operands(piece.id, static_cast<std::size_t>(-1)),
                         piece.index});
        offset += piece.count;
      }
    }
    return all;
  }

 private:
  const Schedule& schedule(Rank r) const {
    return generators_ ? (*generators_)[r].schedule() : (*schedules_)[r];
  }
  Contents& contents(Rank r, Buffer buffer) { return states_[r].buffers[static_cast<int>(buffer)]; }

  void find(Rank rank, int action, long index, std::string message) {
    Finding finding{name_, problem_.p, rank, -1, -1, index, std::move(message)};
    if (rank >= 0 && action >= 0) {
      finding.round = states_[rank].round;
      finding.action = action - static_cast<int>(schedule(rank).round_begin(finding.round));
    }
    if (findings_.size() < most_findings) findings_.push_back(std::move(finding));
  }

  void prepare(Rank r) {
    State& state = states_.emplace_back();
    contents(r, Buffer::input).resize(problem_.input_count(r), expressions_.initial(r));
    contents(r, Buffer::output).resize(problem_.output_count(r), expressions_.initial(r));
    for (const Given& given : given(problem_, r)) {
      const Piece piece{given.where.count, expressions_.contribution(given.rank), given.index};
      contents(r, given.where.buffer).write(given.where.offset, &piece, 1);
    }
    grow_scratch(r, 0);
    if (problem_.collective == Collective::barrier) {
      state.entered.assign(problem_.p, false);
      state.entered[r] = true;
    }
    initial_outputs_.push_back(contents(r, Buffer::output));
  }

  /// Scratch and its constants, as far as the stages so far declare them.
  void grow_scratch(Rank r, std::size_t first_constant) {
    contents(r, Buffer::scratch).resize(schedule(r).scratch, Expressions::undefined);
    const auto& constants = schedule(r).constants;
    for (std::size_t i = first_constant; i < constants.size(); ++i) {
      if (constants[i].offset + sizeof(std::uint64_t) > schedule(r).scratch) {
        find(r, -1, static_cast<long>(constants[i].offset), "a constant lies outside the scratch");
        continue;
      }
      const Piece piece{sizeof(std::uint64_t), expressions_.constant(constants[i].value), 0};
      contents(r, Buffer::scratch).write(constants[i].offset, &piece, 1);
    }
  }

  /// Runs rank r until a message of its round has to wait.
  void advance(Rank r) {
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

  void begin_round(Rank r) {
    const Schedule& s = schedule(r);
    const int round = states_[r].round;
    if (!check_slices(r) || !check_overlaps(r)) return;
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
        ++states_[r].open;
        continue;
      }
      const Posted other = waiting.front();
      waiting.pop_front();
      if (!meet(action.sends() ? mine : other, action.sends() ? other : mine)) return;
      if (--states_[other.rank].open == 0 && other.rank != r) ready_.push_back(other.rank);
    }
  }

  bool sends(const Posted& posted) const {
    return schedule(posted.rank).actions[posted.action].sends();
  }

  bool meet(const Posted& send, const Posted& recv) {
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

  std::size_t pack(Rank r, const Action& action) {
    std::size_t slot = payloads_.size();
    if (free_payloads_.empty()) {
      payloads_.emplace_back();
    } else {
      slot = free_payloads_.back();
      free_payloads_.pop_back();
    }
    Payload& payload = payloads_[slot];
    payload.pieces.clear();
    payload.count = 0;
    for (const Slice& slice : schedule(r).slices_of(action)) {
      contents(r, slice.buffer).read(slice.offset, slice.count, payload.pieces);
      payload.count += slice.count;
    }
    payload.entered = states_[r].entered;
    for (const Piece& piece : payload.pieces)
      if (piece.id == Expressions::undefined)
        find(r, static_cast<int>(&action - schedule(r).actions.data()), -1,
             "sends scratch that nobody has written");
    return slot;
  }

  /// Applies what the round receives, copies and combines, in the order listed.
  void finish_round(Rank r) {
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
          contents(r, slice.buffer).read(slice.offset, slice.count, pieces);
        store(r, static_cast<int>(a), pieces);
      }
    }
    state.arrived.clear();
  }

  void store(Rank r, int a, const std::vector<Piece>& incoming) {
    const Action& action = schedule(r).actions[a];
    std::vector<Piece> result = incoming;
    if (action.combines()) {
      std::vector<Piece> mine;
      const bool elsewhere = action.receives() && action.from_first != action.from_last;
      for (const Slice& slice :
           elsewhere ? schedule(r).sources_of(action) : schedule(r).slices_of(action))
        contents(r, slice.buffer).read(slice.offset, slice.count, mine);
      result = action.side == Side::left ? combine(incoming, mine) : combine(mine, incoming);
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
      contents(r, slice.buffer).write(slice.offset, part.data(), part.size());
    }
  }

  std::vector<Piece> combine(const std::vector<Piece>& left, const std::vector<Piece>& right) {
    std::vector<Piece> result;
    std::size_t i = 0, j = 0, used_i = 0, used_j = 0;
    while (i < left.size() && j < right.size()) {
      const std::size_t count = std::min(left[i].count - used_i, right[j].count - used_j);
      const std::size_t index = left[i].index + used_i;
      const bool same_index = index == right[j].index + used_j;
      append(
          result,
          {count, same_index ? expressions_.combine(left[i].id, right[j].id) : Expressions::garbage,
           index});
      if ((used_i += count) == left[i].count) ++i, used_i = 0;
      if ((used_j += count) == right[j].count) ++j, used_j = 0;
    }
    return result;
  }

  bool check_slices(Rank r) {
    const Schedule& s = schedule(r);
    const int round = states_[r].round;
    const std::size_t before = findings_.size();
    for (std::size_t a = s.round_begin(round); a < s.round_end(round); ++a) {
      const Action& action = s.actions[a];
      const int number = static_cast<int>(a);
      if (action.is_message() && (action.peer < 0 || action.peer >= problem_.p))
        find(r, number, -1, fmt::format("there is no rank {}", action.peer));
      if (action.is_message() && action.peer == r) find(r, number, -1, "a message to itself");
      const auto check = [&](const Slice& slice, bool writes) {
        const std::size_t size = contents(r, slice.buffer).size();
        if (slice.end() > size || slice.end() < slice.offset)
          find(r, number, static_cast<long>(size),
               fmt::format("{}[{}..{}) ends outside the buffer of {} elements",
                           name_of(slice.buffer), slice.offset, slice.end(), size));
        if (writes && slice.buffer == Buffer::input)
          find(r, number, static_cast<long>(slice.offset), "writes to the input");
      };
      for (const Slice& slice : s.slices_of(action)) check(slice, !action.sends());
      std::size_t from = 0;
      for (const Slice& slice : s.sources_of(action)) {
        check(slice, false);
        from += slice.count;
      }
      const bool has_source = !action.is_message() || action.from_first != action.from_last;
      if (has_source && from != s.count_of(action))
        find(r, number, -1,
             fmt::format("reads {} elements but writes {}", from, s.count_of(action)));
    }
    return findings_.size() == before;
  }

  /// Actions of one round may share a slice only if all read it, or if the first writes it and the
  /// others combine into exactly the same slices, in the order listed.
  bool check_overlaps(Rank r) {
    const Schedule& s = schedule(r);
    const int round = states_[r].round;
    struct Access {
      Slice slice;
      bool writes;
      int action;
    };
    std::vector<Access> accesses;
    std::vector<int> writers;  // one of each set of equal targets
    for (std::size_t a = s.round_begin(round); a < s.round_end(round); ++a) {
      const Action& action = s.actions[a];
      const auto target = s.slices_of(action);
      for (const Slice& slice : s.sources_of(action))
        accesses.push_back({slice, false, static_cast<int>(a)});
      bool repeats = false;
      if (action.combines() && !target.empty())
        for (std::size_t w = writers.size(); w-- > 0 && !repeats;) {
          const auto other = s.slices_of(s.actions[writers[w]]);
          repeats = std::equal(target.begin(), target.end(), other.begin(), other.end());
        }
      if (repeats) continue;
      if (!action.sends()) writers.push_back(static_cast<int>(a));
      for (const Slice& slice : target)
        accesses.push_back({slice, !action.sends(), static_cast<int>(a)});
    }
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
      if (a.slice.buffer != b.slice.buffer) return a.slice.buffer < b.slice.buffer;
      return a.slice.offset < b.slice.offset;
    });
    const Access *farthest = nullptr, *farthest_write = nullptr;
    for (const Access& access : accesses) {
      const Access* other = access.writes ? farthest : farthest_write;
      if (other && other->slice.overlaps(access.slice)) {
        find(r, access.action, static_cast<long>(access.slice.offset),
             fmt::format("touches what '{}' of the same round touches, and one of them writes",
                         describe(s, s.actions[other->action])));
        return false;
      }
      const auto reaches_farther = [&](const Access* than) {
        return !than || than->slice.buffer != access.slice.buffer ||
               than->slice.end() < access.slice.end();
      };
      if (reaches_farther(farthest)) farthest = &access;
      if (access.writes && reaches_farther(farthest_write)) farthest_write = &access;
    }
    return true;
  }

  /// Hands what the stage learned to the generator, which appends the next one.
  bool go_on_to_next_stage(Rank r) {
    if (!generators_ || (*generators_)[r].finished()) return false;
    const auto learned = numbers_in(r, schedule(r).stages.back().slice);
    if (!learned) return false;
    const std::size_t constants = schedule(r).constants.size();
    (*generators_)[r].resume(*learned);
    grow_scratch(r, constants);
    return true;
  }

  /// A complete schedule was made for what its stages learned then: they must learn the same now.
  void check_learned(Rank r) {
    for (const StageEnd& stage : schedule(r).stages) {
      if (static_cast<int>(stage.rounds) != states_[r].round) continue;
      const auto learned = numbers_in(r, stage.slice);
      if (learned && *learned != stage.learned)
        find(r, -1, static_cast<long>(stage.slice.offset),
             fmt::format("learns {}, but the next stage was made for {}", fmt::join(*learned, ", "),
                         fmt::join(stage.learned, ", ")));
    }
  }

  /// The numbers that stand in a slice; nothing, and a finding, if anything else does.
  std::optional<std::vector<std::size_t>> numbers_in(Rank r, const Slice& slice) {
    std::vector<Piece> pieces;
    const std::size_t size = contents(r, slice.buffer).size();
    if (slice.end() > size || slice.end() < slice.offset) {
      find(r, -1, static_cast<long>(size), "learns from outside the buffer");
      return std::nullopt;
    }
    contents(r, slice.buffer).read(slice.offset, slice.count, pieces);
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

  void look_for_deadlock() {
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

  void compare() {
    std::vector<Piece> of_rank_0, pieces;
    for (Rank r = 0; r < problem_.p && findings_.size() < most_findings; ++r) {
      const std::vector<Wanted> all = wanted(problem_, r);
      std::size_t end = 0;
      for (const Wanted& w : all) {
        must_be_as_before(r, end, w.where.offset);
        end = w.where.end();
        pieces.clear();
        contents(r, Buffer::output).read(w.where.offset, w.where.count, pieces);
        compare(r, w, pieces);
      }
      must_be_as_before(r, end, problem_.output_count(r));
      for (Rank i = 0; i < static_cast<Rank>(states_[r].entered.size()); ++i)
        if (!states_[r].entered[i])
          find(r, -1, -1, fmt::format("leaves the barrier before rank {} has entered it", i));
      if (problem_.collective != Collective::allreduce) continue;
      if (r == 0) of_rank_0 = pieces;
      if (pieces != of_rank_0)
        find(r, -1, -1, "computes the result by another expression than rank 0: floats may differ");
    }
  }

  void compare(Rank r, const Wanted& w, const std::vector<Piece>& pieces) {
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
      const long element = static_cast<long>(w.where.offset + at);
      const std::string fault = what_is_wrong(piece, w, w.index + at);
      if (!fault.empty()) return find(r, -1, element, fault);
      at += piece.count;
    }
  }

  std::string what_is_wrong(const Piece& piece, const Wanted& w, std::size_t index) {
    if (w.first == w.last) {
      if (piece.id == expressions_.contribution(w.first) && piece.index == index) return {};
      return fmt::format("output holds {} (index {}), not data of rank {} (index {})",
                         expressions_.describe(piece.id), piece.index, w.first, index);
    }
    if (!expressions_.is_value(piece.id))
      return fmt::format("output holds {}", expressions_.describe(piece.id));
    if (piece.index != index)
      return fmt::format("output holds index {} where {} belongs", piece.index, index);
    const auto proved = proved_.find(piece.id);
    if (proved != proved_.end() && proved->second == std::pair(w.first, w.last)) return {};
    const std::size_t number = static_cast<std::size_t>(w.last - w.first) + 1;
    std::vector<Rank> ranks = expressions_.operands(piece.id, number + 1);
    if (problem_.commutative) std::sort(ranks.begin(), ranks.end());
    bool right = ranks.size() == number;
    for (std::size_t i = 0; right && i < number; ++i)
      right = ranks[i] == w.first + static_cast<Rank>(i);
    if (right) proved_[piece.id] = {w.first, w.last};
    return right ? std::string{}
                 : fmt::format("output holds {}, not the ranks {} to {}, each once{}",
                               expressions_.describe(piece.id), w.first, w.last,
                               problem_.commutative ? "" : " and in order");
  }

  void must_be_as_before(Rank r, std::size_t from, std::size_t to) {
    if (from >= to) return;
    std::vector<Piece> now, before;
    contents(r, Buffer::output).read(from, to - from, now);
    initial_outputs_[r].read(from, to - from, before);
    if (now == before) return;
    find(r, -1, static_cast<long>(from), "touches a part of the output that is not its business");
  }

  const Problem& problem_;
  const std::vector<Schedule>* schedules_;
  std::vector<Generator>* generators_;
  std::string name_;
  Expressions expressions_;
  std::deque<State> states_;
  std::vector<Contents> initial_outputs_;
  std::deque<Rank> ready_;
  std::unordered_map<std::uint64_t, std::deque<Posted>> waiting_;
  std::vector<Payload> payloads_;
  std::vector<std::size_t> free_payloads_;
  std::vector<Finding> findings_;
  /// Expressions that are known to combine these ranks, first to last: all ranks may hold the same
  /// one.
  std::unordered_map<Expressions::Id, std::pair<Rank, Rank>> proved_;
};

std::vector<Generator> generators_of(const Problem& problem, const Algorithm& algorithm,
                                     const Parameters& parameters) {
  std::vector<Generator> generators;
  generators.reserve(problem.p);
  for (Rank r = 0; r < problem.p; ++r)
    generators.emplace_back(algorithm, problem.call(r), parameters);
  return generators;
}

}  // namespace

std::string Finding::describe() const {
  std::string where = algorithm.empty() ? std::string("schedule") : algorithm;
  where += fmt::format(", p = {}", p);
  if (rank >= 0) where += fmt::format(", rank {}", rank);
  if (round >= 0) where += fmt::format(", round {}", round);
  if (action >= 0) where += fmt::format(", action {}", action);
  if (index >= 0) where += fmt::format(", index {}", index);
  return where + ": " + message;
}

std::vector<Finding> verify(const Problem& problem, const std::vector<Schedule>& schedules,
                            const std::string& name) {
  return SymbolicRun(problem, &schedules, nullptr, name).run();
}

std::vector<Finding> verify(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  return SymbolicRun(problem, nullptr, &generators, algorithm.full_name()).run();
}

std::uint64_t result_digest(const Problem& problem, const Algorithm& algorithm,
                            const Parameters& parameters, bool swaps) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  SymbolicRun run(problem, nullptr, &generators, algorithm.full_name());
  const auto findings = run.run();
  if (!findings.empty()) throw std::runtime_error(findings.front().describe());
  return run.digest(swaps);
}

std::vector<Schedule> schedules_of(const Problem& problem, const Algorithm& algorithm,
                                   const Parameters& parameters) {
  std::vector<Generator> generators = generators_of(problem, algorithm, parameters);
  const auto waits = [](const Generator& generator) { return !generator.finished(); };
  if (std::any_of(generators.begin(), generators.end(), waits)) {
    const auto findings = SymbolicRun(problem, nullptr, &generators, algorithm.full_name()).run();
    if (!findings.empty()) throw std::runtime_error(findings.front().describe());
  }
  std::vector<Schedule> schedules;
  schedules.reserve(generators.size());
  for (const Generator& generator : generators) schedules.push_back(generator.schedule());
  return schedules;
}

std::vector<std::vector<std::vector<Held>>> held_after_steps(
    const Problem& problem, const std::vector<Schedule>& schedules) {
  const Steps steps = steps_of(schedules, match(schedules));
  std::vector<std::vector<std::vector<Held>>> held(
      steps.count + 1, std::vector<std::vector<Held>>(schedules.size()));
  std::vector<int> last(schedules.size(), 0);  // the last step that is filled in
  const auto fill_to = [&](Rank rank, int step) {
    for (; last[rank] < step; ++last[rank]) held[last[rank] + 1][rank] = held[last[rank]][rank];
  };
  SymbolicRun run(problem, &schedules, nullptr, {});
  run.on_round = [&](Rank rank, int round) {
    const int step = round < 0 ? 0 : steps.of_round[rank][round];
    fill_to(rank, step);
    held[step][rank] = run.held(rank);
  };
  run.run();
  for (Rank rank = 0; rank < problem.p; ++rank) fill_to(rank, steps.count);
  return held;
}

}  // namespace tutti::core
