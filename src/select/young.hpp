// How long the MPI does calls of a kind before it pays to prepare for them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// Calls that have not come often enough. What preparing takes is soon little beside large calls,
/// and only after many small ones: how many follows from bytes alone, so that all ranks count
/// alike. The first class of calls that has come often enough earns what all calls of a
/// communicator need. Communicators of the same ranks may count together.
class Young {
 public:
  /// Calls of few bytes that come first.
  static constexpr std::size_t usual = 64;
  /// A call of so many bytes takes twice the time of one of few, or so.
  static constexpr std::size_t few_bytes = 4096;
  /// Beyond so many ranks preparing takes longer the more they are: bytes count as on so many.
  static constexpr std::size_t few_ranks = 64;

  /// Calls of a class that come first, where `few` of few bytes do; -1: their bytes are not known
  /// alike, and are as many as is guessed for a choice.
  static std::size_t calls(std::size_t few, Collective collective, int size_class, int p);

  explicit Young(std::size_t few) : few_(few) {}

  /// A class has come often enough.
  bool has_earned() const { return earned_; }
  /// Until then: notes a call; no bytes: they are not known alike. True: it is one of those that
  /// come first.
  bool note(Collective collective, std::optional<std::size_t> bytes, int p);
  /// What was earned is had by one communicator: the next one has to earn it, too.
  void begin_again() {
    earned_ = false;
    classes_.clear();
  }

 private:
  struct Class {
    Collective collective;
    int size_class;
    std::size_t left;
  };

  std::size_t few_;
  bool earned_ = false;
  std::vector<Class> classes_;
};

/// Kinds of calls, by size and root, that have not come often enough to have a schedule of their
/// own, where there is what all calls need.
class YoungKinds {
 public:
  /// A schedule takes so many times less than what all calls need; and where nothing is to be
  /// chosen again so many times less.
  static constexpr std::size_t times_less = 4;

  explicit YoungKinds(std::size_t few) : few_(few) {}

  /// Notes a call that has no schedule. True: its kind has not earned one. `is_decided`: a profile
  /// says what such calls take.
  bool note(Collective collective, std::optional<std::size_t> bytes, int root, int p,
            bool is_decided = false);
  /// It earned what all calls need, and with it a schedule.
  void earn(Collective collective, std::optional<std::size_t> bytes, int root);

 private:
  /// How often kinds of calls came, by what is mixed of them: those that share a place count
  /// together, on all ranks alike.
  using Times = std::array<std::uint16_t, 512>;

  std::uint16_t& times_of(Collective collective, std::optional<std::size_t> bytes, int root);

  std::size_t few_;
  std::unique_ptr<Times> times_;
};

}  // namespace tutti::core
