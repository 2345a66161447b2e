// Which plan a call of a communicator takes.

#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "api/call/kept_plans.hpp"
#include "model/profile.hpp"
#include "select/learning/turns.hpp"

namespace tutti::core {

class Equipment;
class Operation;

/// The plans of calls: what is chosen for them, what they learn, and those that are kept.
class Planning {
 public:
  explicit Planning(const Equipment& equipment) : equipment_(equipment) {}

  /// What calls such as this blocking one learn.
  struct Learns {
    Learning* learning = nullptr;  // null: nothing, or nothing yet
    bool waits = false;            // turns begin when there have been more of these calls
  };
  Learns learning_of(const Operation& operation);
  /// Notes when a call that took its turn began and ended, by clock_now(). After a lap all ranks
  /// agree; returns the MPI's error code.
  int end_turn(Learning& learning, std::int64_t begin, std::int64_t end, bool failed);

  /// A plan for a call, marked busy; one of the operation's own if all are.
  void find_plan(const Call& call, int request, bool blocking, const Learning* learning,
                 Plan*& plan, std::unique_ptr<Plan>& own);
  KeptPlans& plans() { return plans_; }
  const KeptPlans& plans() const { return plans_; }

 private:
  Choice choice_for(const PlanKey& key);
  std::unique_ptr<Plan> make_plan(const PlanKey& key);
  const Profile& profile() const;
  KeptChoices* choices() const;  // null: nothing is known of the machine
  void remember(const Learning& learning) const;

  const Equipment& equipment_;
  /// Of all blocking calls: there is one at a time.
  const std::shared_ptr<Workspace> workspace_ = std::make_shared<Workspace>();
  KeptPlans plans_;
  struct Class {
    std::size_t calls = 0;  // before turns began
    std::unique_ptr<Learning> learning;
  };
  std::map<LearningKey, Class> classes_;
};

}  // namespace tutti::core
