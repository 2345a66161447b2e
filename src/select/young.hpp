// How long the MPI does calls of a kind before it pays to prepare for them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// Calls of a communicator that have not come often enough. What preparing takes is soon little
/// beside large calls, and only after many small ones: how many follows from bytes alone, so that
/// all ranks count alike.
class Young {
 public:
  /// Calls of few bytes that come first.
  static constexpr std::size_t usual = 64;
  /// A call of so many bytes takes twice the time of one of few, or so.
  static constexpr std::size_t few_bytes = 4096;

  /// Calls of a class that come first, where `few` of few bytes do; -1: their bytes are not known
  /// alike, and are as many as is guessed for a choice.
  static std::size_t calls(std::size_t few, Collective collective, int size_class, int p);

  explicit Young(std::size_t few) : few_(few) {}

  /// Notes a call. True: it is one of those that come first.
  bool note(Collective collective, int size_class, int p);

 private:
  struct Class {
    Collective collective;
    int size_class;
    std::size_t left;
  };
  std::size_t few_;
  std::vector<Class> classes_;
};

}  // namespace tutti::core
