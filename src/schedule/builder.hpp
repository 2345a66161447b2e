#pragma once

#include <functional>
#include <initializer_list>

#include "schedule/schedule.hpp"

namespace tutti::core {

/// Writes one rank's schedule. Slices of a message that touch are joined and empty ones dropped;
/// a message of nothing is neither sent nor received (both sides know), a round of nothing is none.
class Builder {
 public:
  /// Called with the learned counts when a stage has run; appends the next stage.
  using Next = std::function<void(Builder&, std::span<const std::size_t>)>;

  /// Begins a round. Actions of one round are independent of each other.
  void round() { round_is_open_ = false; }

  void send(std::span<const Slice> slices, Rank to) { message(Kind::send, {}, slices, to); }
  void recv(std::span<const Slice> slices, Rank from) { message(Kind::recv, {}, slices, from); }
  void recv_reduce(std::span<const Slice> slices, Rank from, Side side) {
    message(Kind::recv_reduce, side, slices, from);
  }
  void send(const Slice& slice, Rank to) { send(std::span(&slice, 1), to); }
  void recv(const Slice& slice, Rank from) { recv(std::span(&slice, 1), from); }
  void recv_reduce(const Slice& slice, Rank from, Side side) {
    recv_reduce(std::span(&slice, 1), from, side);
  }

  /// An empty message, as a barrier needs it.
  void signal(Rank to) { add({.kind = Kind::send, .peer = to}); }
  void await(Rank from) { add({.kind = Kind::recv, .peer = from}); }

  void reduce(std::span<const Slice> from, std::span<const Slice> into, Side side) {
    local(Kind::reduce, side, from, into);
  }
  void copy(std::span<const Slice> from, std::span<const Slice> to) {
    local(Kind::copy, {}, from, to);
  }
  void reduce(const Slice& from, const Slice& into, Side side) {
    reduce(std::span(&from, 1), std::span(&into, 1), side);
  }
  void copy(const Slice& from, const Slice& to) { copy(std::span(&from, 1), std::span(&to, 1)); }

  /// Reserves scratch.
  Slice scratch(std::size_t count);
  /// Numbers that stand in scratch from the start, eight bytes each.
  Slice constants(std::span<const std::size_t> values);

  /// Ends the stage: when it has run, `next` gets the numbers in `counts` and goes on.
  void learn(const Slice& counts, Next next);

  const Schedule& schedule() const { return schedule_; }
  Schedule take() { return std::move(schedule_); }
  bool waits_to_learn() const { return static_cast<bool>(next_); }
  void resume(std::span<const std::size_t> learned);

 private:
  void message(Kind kind, Side side, std::span<const Slice> slices, Rank peer);
  void local(Kind kind, Side side, std::span<const Slice> from, std::span<const Slice> to);
  std::pair<std::uint32_t, std::uint32_t> pool(std::span<const Slice> slices);
  void add(const Action& action);

  Schedule schedule_;
  Next next_;
  bool round_is_open_ = false;
};

}  // namespace tutti::core
