// The plans of a communicator that are kept for calls to come.

#pragma once

#include <memory>
#include <vector>

#include "api/call/plan.hpp"

namespace tutti::core {

/// As many as memory allows: those not used for longest go.
class KeptPlans {
 public:
  /// One for such a call that is not busy; null: there is none. `turn`: of the learning's
  /// candidates.
  Plan* find(std::uint64_t fingerprint, const Call& call, int request, bool blocking,
             const Learning* learning, std::size_t turn) const;
  /// Keeps a plan; the caller has it back if there is no room.
  std::unique_ptr<Plan> keep(std::uint64_t fingerprint, std::unique_ptr<Plan> plan);
  void use(Plan& plan) {
    plan.last_use = ++uses_;
    plan.busy.store(true, std::memory_order_relaxed);
  }
  /// Plans of candidates that will not run again are freed. The choice has a reason of its own.
  void forget_who_is_out(const Learning& learning);
  /// How many plans there were that are no more.
  unsigned drops() const { return drops_; }

 private:
  void drop();

  struct Kept {
    std::uint64_t fingerprint;
    std::unique_ptr<Plan> plan;
  };
  std::vector<Kept> plans_;
  unsigned long long uses_ = 0;
  unsigned drops_ = 0;
};

}  // namespace tutti::core
