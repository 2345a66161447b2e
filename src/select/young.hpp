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

/// Calls of a communicator that have not come often enough. What preparing takes is soon little
/// beside large calls, and only after many small ones: how many follows from bytes alone, so that
/// all ranks count alike. The first class of calls that has come often enough earns what all of a
/// communicator's calls need; then each kind of call earns a schedule of its own.
class Young {
 public:
  /// Calls of few bytes that come first.
  static constexpr std::size_t usual = 64;
  /// A call of so many bytes takes twice the time of one of few, or so.
  static constexpr std::size_t few_bytes = 4096;
  /// A schedule takes so many times less than what all calls need.
  static constexpr std::size_t schedules = 4;

  /// Calls of a class that come first, where `few` of few bytes do; -1: their bytes are not known
  /// alike, and are as many as is guessed for a choice.
  static std::size_t calls(std::size_t few, Collective collective, int size_class, int p);

  explicit Young(std::size_t few) : few_(few) {}

  /// A class has come often enough.
  bool has_earned() const { return earned_; }
  /// Until then: notes a call; no bytes: they are not known alike. True: it is one of those that
  /// come first.
  bool note(Collective collective, std::optional<std::size_t> bytes, int p);
  /// After that: notes a call that has no schedule. True: its kind has not earned one.
  bool note_kind(Collective collective, std::optional<std::size_t> bytes, int root, int p);

 private:
  struct Class {
    Collective collective;
    int size_class;
    std::size_t left;
  };
  /// How often kinds of calls came, by what is mixed of them: those that share a place count
  /// together, on all ranks alike.
  using Kinds = std::array<std::uint16_t, 512>;

  std::uint16_t& times_of(Collective collective, std::optional<std::size_t> bytes, int root);

  std::size_t few_;
  bool earned_ = false;         // what all calls need
  bool earns_by_this_ = false;  // the call that earned it has earned a schedule, too
  std::vector<Class> classes_;
  std::unique_ptr<Kinds> kinds_;
};

}  // namespace tutti::core
