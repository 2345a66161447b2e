#pragma once

#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "execute/local_memory.hpp"

namespace tutti::core {

/// Why a local execution cannot go on.
struct LocalFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One rank of a local execution: its schedule, its memory and its open round.
struct LocalRank {
  using Bytes = LocalMemory::Bytes;

  /// An action of the open round. Actions that write the same slices are applied as listed:
  /// `before` and `after` are the places of the nearest ones in the round, or -1.
  struct Open {
    bool arrived = false, ended = false;
    int before = -1, after = -1;
    Bytes bytes{};  // what arrived and waits for those before
  };

  const Schedule& schedule() const { return generator ? generator->schedule() : complete; }

  void prepare_scratch(std::mt19937_64& random);
  void learn();
  void check_learned();
  /// What an action sends, which it thereby has done.
  Bytes send(std::size_t action);
  /// The bytes that an action writes have come; they and those that waited for them are applied.
  /// Returns how many actions have ended by that.
  std::size_t put(std::size_t action, Bytes bytes, const Reduction& reduction);
  /// Nothing can happen any more: is everything done?
  void conclude() const;

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const Action& action, const std::string& what) const;

  Rank rank = -1;
  std::optional<Generator> generator{};
  Schedule complete{};
  LocalMemory memory{};
  std::size_t constants = 0;  // those that stand in scratch already
  int round = -1;             // the open round; -1 before the call
  std::vector<Open> open{};
  std::size_t unfinished = 0;  // actions of the open round
  bool done = false;

 private:
  std::vector<std::size_t> numbers_in(const Slice& slice);
};

}  // namespace tutti::core
