// A prepared schedule, and what makes two calls the same to it.

#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "api/watch/table.hpp"
#include "execute/mpi/execution.hpp"
#include "select/learning/turns.hpp"

namespace tutti::core {

/// What makes two calls on a communicator the same to a plan: ids and sizes of our own, no MPI
/// handle.
struct PlanKey {
  Call call;
  int request = 0;                     // what was asked for by name; 0: nothing
  bool blocking = true;                // one at a time
  const Learning* learning = nullptr;  // null: nothing is or was learned
  std::size_t candidate = 0;           // of those who take turns

  /// Equal for equal keys, and seldom for others.
  static std::uint64_t fingerprint(const Call& call, int request, bool blocking,
                                   const Learning* learning, std::size_t turn) {
    std::uint64_t print = 0;
    const auto mix = [&print](std::uint64_t word) { print = (print ^ word) * 0x9e3779b97f4a7c15; };
    mix(call.count);
    mix(static_cast<std::uint64_t>(call.collective) << 48 |
        static_cast<std::uint64_t>(request) << 8 | static_cast<std::uint64_t>(blocking) << 1 |
        static_cast<std::uint64_t>(call.in_place));
    mix(static_cast<std::uint64_t>(call.root) << 32 | call.element_bytes);
    mix(reinterpret_cast<std::uintptr_t>(learning) + turn);
    for (const auto* counts : {&call.counts, &call.send_counts, &call.recv_counts})
      for (const auto each : *counts) mix(each);
    return print;
  }

  bool is_for(const Call& other, int asked, bool blocks, const Learning* learns,
              std::size_t turn) const {
    return blocking == blocks && learning == learns && candidate == turn &&
           call.collective == other.collective && call.count == other.count &&
           call.root == other.root && call.in_place == other.in_place &&
           call.commutative == other.commutative && call.work == other.work && request == asked &&
           call.element_bytes == other.element_bytes && call.counts == other.counts &&
           call.send_counts == other.send_counts && call.recv_counts == other.recv_counts;
  }
};

/// A prepared schedule, and where its calls are noted.
struct Plan {
  PlanKey key;
  std::unique_ptr<MpiExecution> execution;  // null: the MPI's own
  std::unique_ptr<Noter> noter;
  unsigned long long last_use = 0;
  std::atomic<bool> busy{false};  // an operation that is under way uses it
};

}  // namespace tutti::core
