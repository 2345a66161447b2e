// Finds, keeps and drops plans.

#include "api/call/kept_plans.hpp"

#include <algorithm>

namespace tutti::core {

namespace {

/// Plans, and what they may keep beside their schedules, the newest apart.
#ifdef TUTTI_SIMULATED  // all ranks share one process
constexpr std::size_t most_plans = 64;
constexpr std::size_t most_plan_bytes = 1u << 20;
#else
constexpr std::size_t most_plans = 256;
constexpr std::size_t most_plan_bytes = 64u << 20;
#endif

}  // namespace

Plan* KeptPlans::find(std::uint64_t fingerprint, const Call& call, int request, bool blocking,
                      const Learning* learning, std::size_t turn) const {
  for (const Kept& each : plans_)
    if (each.fingerprint == fingerprint && !each.plan->busy.load(std::memory_order_acquire) &&
        each.plan->key.is_for(call, request, blocking, learning, turn))
      return each.plan.get();
  return nullptr;
}

std::unique_ptr<Plan> KeptPlans::keep(std::uint64_t fingerprint, std::unique_ptr<Plan> plan) {
  drop();
  if (plans_.size() >= most_plans) return plan;
  plans_.push_back({fingerprint, std::move(plan)});
  return nullptr;
}

void KeptPlans::forget_who_is_out(const Learning& learning) {
  const Learner& learner = learning.learner;
  const auto goes = [&](const Kept& each) {
    const PlanKey& key = each.plan->key;
    return key.learning == &learning &&
           (learner.settled() ? key.candidate != learner.next() : learner.is_out(key.candidate));
  };
  drops_ += static_cast<unsigned>(std::erase_if(plans_, goes));
  if (!learner.settled()) return;
  for (const auto& [fingerprint, plan] : plans_)
    if (plan->key.learning == &learning) {
      const ExplainRow& row = plan->noter->row();
      plan->noter = std::make_unique<Noter>(explain_row(row.collective, row.size_class, row.ranks,
                                                        row.algorithm, row.parameters,
                                                        learning.why(learner.next())));
    }
}

/// Makes room for a plan: those not used for longest go, until they are few and small.
void KeptPlans::drop() {
  while (!plans_.empty()) {
    std::size_t bytes = 0;
    auto oldest = plans_.end();
    for (auto each = plans_.begin(); each != plans_.end(); ++each) {
      const Plan& plan = *each->plan;
      if (plan.execution != nullptr) bytes += plan.execution->memory();
      if (!plan.busy && (oldest == plans_.end() || plan.last_use < oldest->plan->last_use))
        oldest = each;
    }
    if ((plans_.size() < most_plans && bytes <= most_plan_bytes) || oldest == plans_.end()) return;
    plans_.erase(oldest);
    ++drops_;
  }
}

}  // namespace tutti::core
