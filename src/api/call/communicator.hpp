// What Tutti keeps for a communicator.

#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <vector>

#include "api/call/blocking_calls.hpp"
#include "api/call/kept_plans.hpp"
#include "api/call/known_types.hpp"
#include "api/machine/knowledge.hpp"
#include "api/machine/node_memory.hpp"
#include "api/machine/topology.hpp"
#include "select/learning/turns.hpp"

namespace tutti::core {

/// What its calls are numbered by.
struct RunningNumbers {
  std::uint32_t next_call() { return ++calls; }
  std::uint32_t next_native() { return ++natives; }
  int next_tag() { return tag = tag == last_tag ? 0 : tag + 1; }

  int tag = 0, last_tag = 0;
  std::uint32_t calls = 0;
  std::uint32_t natives = 0;  // calls left to the MPI, where they are recorded
  /// What all ranks know the communicator by in a trace; -1: nothing is recorded.
  std::int64_t trace_id = -1;
};

/// Where its ranks live, and how those of this node reach each other.
struct Site {
  /// To the ranks of this node, for blocking calls; null: the MPI takes their messages, too.
  Channels* channels() const { return memory ? &memory->channels() : nullptr; }

  std::vector<int> places;  // by rank: its place on this one's node; -1: it is on another
  std::shared_ptr<const Topology> topology;  // null for one rank
  int cores = 0;                             // that its ranks of a node share; 0: one for each
  NodeTransport transport;
  std::unique_ptr<NodeMemory> memory;  // null: there is none to share
};

/// What Tutti keeps for a communicator, as an attribute of it: a private communicator over the same
/// group, plans, and an operation for the blocking calls. None of it is seen by the program. It
/// lives until the communicator is freed and no operation on it is left.
class CommunicatorState : public std::enable_shared_from_this<CommunicatorState> {
 public:
  /// The state of a communicator, made at its first collective. Null: it is none, or one between
  /// two groups.
  static CommunicatorState* of(MPI_Comm comm);

  ~CommunicatorState();
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  int p() const { return p_; }
  Rank rank() const { return rank_; }
  MPI_Comm comm() const { return private_; }
  RunningNumbers& numbers() { return numbers_; }
  const Site& site() const { return site_; }
  /// Why the MPI's own must do, on all ranks alike; null if Tutti can.
  const char* unusable() const { return unusable_; }

  /// What calls such as this blocking one learn; null if there is nothing to learn.
  Learning* learning_of(const Operation& operation);
  /// Notes the time of a call that took its turn. After a lap all ranks agree; returns the MPI's
  /// error code.
  int end_turn(Learning& learning, double seconds);

  /// A plan for a call, marked busy; one of the operation's own if all are.
  void find_plan(const Call& call, int request, bool blocking, const Learning* learning,
                 Plan*& plan, std::unique_ptr<Plan>& own);
  KnownTypes& types() { return types_; }
  /// The operations of blocking calls.
  BlockingCalls& blocking() { return blocking_; }
  KeptPlans& plans() { return plans_; }

 private:
  CommunicatorState() = default;
  static CommunicatorState* find(MPI_Comm comm);
  Choice choice_for(const PlanKey& key);
  std::unique_ptr<Plan> make_plan(const PlanKey& key);
  const Profile& profile() const;
  void remember(const Learning& learning) const;

  MPI_Comm private_ = MPI_COMM_NULL;
  int p_ = 1;
  Rank rank_ = 0;
  RunningNumbers numbers_;
  const char* unusable_ = nullptr;
  Site site_;
  std::shared_ptr<const Knowledge> knowledge_;  // of the machine; null for one rank
  /// Of all blocking calls: there is one at a time.
  const std::shared_ptr<Workspace> workspace_ = std::make_shared<Workspace>();
  KeptPlans plans_;
  std::map<LearningKey, std::unique_ptr<Learning>> learnings_;
  SharedChoices shared_;

  KnownTypes types_;
  BlockingCalls blocking_{*this};
};

/// The communicator of those ranks of another that name the same part, in the order of their
/// places; the other itself if that is so already. Collective; null on all if there is none, and
/// why.
MPI_Comm make_part(MPI_Comm comm, int part, int place, const char*& why);
/// Frees one that was made so, and is not the other itself.
void free_part(MPI_Comm part);

}  // namespace tutti::core
