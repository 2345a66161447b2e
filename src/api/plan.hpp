#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "api/explain.hpp"
#include "api/learning.hpp"
#include "execute/mpi/execution.hpp"

namespace tutti {

/// What makes two calls on a communicator the same to a plan: ids and sizes of our own, no MPI
/// handle.
struct PlanKey {
  Call call;
  int request = 0;                     // what was asked for by name; 0: nothing
  bool blocking = true;                // one at a time
  const Learning* learning = nullptr;  // null: nothing is or was learned
  std::size_t candidate = 0;           // of those who take turns

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

}  // namespace tutti
