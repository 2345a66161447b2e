#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "schedule/slice.hpp"

namespace tutti::core {

enum class Kind : std::uint8_t { send, recv, recv_reduce, reduce, copy };

/// Where the incoming operand stands: left computes `incoming op mine`, right `mine op incoming`.
enum class Side : std::uint8_t { left, right };

std::string_view name_of(Buffer buffer);
std::string_view name_of(Kind kind);
std::string_view name_of(Side side);

/// One action. Its slices stand in the schedule's pool: [first, last) is what is sent, received or
/// written; [from_first, from_last) is what `reduce` and `copy` read, and what `recv_reduce`
/// combines with, if that is not what it writes to.
struct Action {
  Kind kind = Kind::send;
  Side side = Side::left;
  Rank peer = -1;
  std::uint32_t first = 0, last = 0;
  std::uint32_t from_first = 0, from_last = 0;

  bool sends() const { return kind == Kind::send; }
  bool receives() const { return kind == Kind::recv || kind == Kind::recv_reduce; }
  bool is_message() const { return sends() || receives(); }
  bool combines() const { return kind == Kind::recv_reduce || kind == Kind::reduce; }
  bool operator==(const Action&) const = default;
};

/// A number that stands in scratch before the first round: eight elements of one byte.
struct Constant {
  std::size_t offset = 0;
  std::uint64_t value = 0;
  bool operator==(const Constant&) const = default;
};

/// A stage ends after `rounds` rounds; the counts in `slice` are then handed to the generator. What
/// follows was made for `learned`.
struct StageEnd {
  std::uint32_t rounds = 0;
  Slice slice;
  std::vector<std::size_t> learned{};
  bool operator==(const StageEnd&) const = default;
};

/// One rank's rounds, and how much scratch they need. A value: compare, print, store, cache it.
struct Schedule {
  std::vector<Slice> slices;          // the pool that actions point into
  std::vector<Action> actions;        // all rounds, one after the other
  std::vector<std::uint32_t> rounds;  // the first action of each round
  std::vector<Constant> constants;
  std::vector<StageEnd> stages;
  std::size_t scratch = 0;  // elements

  std::size_t round_count() const { return rounds.size(); }
  std::size_t round_begin(std::size_t round) const { return rounds[round]; }
  std::size_t round_end(std::size_t round) const {
    return round + 1 < rounds.size() ? rounds[round + 1] : actions.size();
  }
  std::span<const Action> round(std::size_t round) const {
    return {actions.data() + round_begin(round), actions.data() + round_end(round)};
  }
  std::span<const Slice> slices_of(const Action& action) const {
    return {slices.data() + action.first, slices.data() + action.last};
  }
  /// What it reads besides.
  std::span<const Slice> sources_of(const Action& action) const {
    return {slices.data() + action.from_first, slices.data() + action.from_last};
  }
  std::size_t count_of(const Action& action) const {
    std::size_t count = 0;
    for (const Slice& slice : slices_of(action)) count += slice.count;
    return count;
  }
  bool operator==(const Schedule&) const = default;
};

/// `send output[4..8) to 3`: one action as a person reads it.
std::string describe(const Schedule& schedule, const Action& action);

}  // namespace tutti::core
