#pragma once

#include <mpi.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "api/call/operation.hpp"
#include "api/choose.hpp"
#include "api/machine/knowledge.hpp"
#include "api/machine/node_memory.hpp"
#include "api/machine/topology.hpp"

namespace tutti::core {

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
  std::uint32_t next_call() { return ++calls_; }
  /// What all its ranks know it by in a trace; -1: nothing is recorded.
  std::int64_t trace_id() const { return trace_id_; }
  std::uint32_t next_native() { return ++natives_; }
  int next_tag() { return tag_ = tag_ == last_tag_ ? 0 : tag_ + 1; }
  /// Where its ranks live; null for one rank.
  const std::shared_ptr<const Topology>& topology() const { return topology_; }
  /// To the ranks of this node, for blocking calls; null: the MPI takes their messages, too.
  Channels* channels() const { return node_ ? &node_->channels() : nullptr; }
  const NodeTransport& transport() const { return transport_; }
  /// Why the MPI's own must do, on all ranks alike; null if Tutti can.
  const char* unusable() const { return unusable_; }

  /// For a blocking call: the operation that describes it, or one to be cleared and described.
  /// There is one call at a time; those that a program makes in turns are remembered.
  Operation& blocking(const Arguments& arguments, bool& described) {
    described = true;
    for (const auto& each : blocking_[arguments.place(blocking_.size())])
      if (each != nullptr && each->is_for(arguments)) return *each;
    described = false;
    return *passing_;
  }
  /// The one that was described last serves the next calls with these arguments, if it can.
  void remember(const Arguments& arguments);

  /// What calls such as this blocking one learn; null if there is nothing to learn.
  Learning* learning_of(const Operation& operation);
  /// Notes the time of a call that took its turn. After a lap all ranks agree; returns the MPI's
  /// error code.
  int end_turn(Learning& learning, double seconds);

  /// A plan for a call, marked busy; one of the operation's own if all are.
  void find_plan(const Call& call, int request, bool blocking, const Learning* learning,
                 Plan*& plan, std::unique_ptr<Plan>& own);
  void use(Plan& plan) {
    plan.last_use = ++uses_;
    plan.busy.store(true, std::memory_order_relaxed);
  }
  /// The cores that its ranks of a node share; 0: one for each.
  int cores() const { return cores_; }
  /// How many plans there were that are no more.
  unsigned drops() const { return drops_; }

  /// A datatype's shape. Those of MPI's own types are kept.
  const TypeShape& shape_of(MPI_Datatype type);
  /// How a datatype's elements are combined, likewise.
  const Reduction& reduction_of(MPI_Op op, MPI_Datatype type, const TypeShape& shape,
                                bool& commutes);

 private:
  CommunicatorState() = default;
  static CommunicatorState* find(MPI_Comm comm);
  Choice choice_for(const PlanKey& key);
  std::unique_ptr<Plan> make_plan(const PlanKey& key);
  std::unique_ptr<Noter> noter_for(const Call& call, const Choice& choice) const;
  const Profile& profile() const;
  void forget_who_is_out(const Learning& learning);
  void remember(const Learning& learning) const;
  void drop_plans();

  MPI_Comm private_ = MPI_COMM_NULL;
  int p_ = 1;
  Rank rank_ = 0;
  int tag_ = 0, last_tag_ = 0;
  std::uint32_t calls_ = 0;
  std::int64_t trace_id_ = -1;
  std::uint32_t natives_ = 0;  // calls left to the MPI, where they are recorded
  const char* unusable_ = nullptr;
  std::vector<int> places_;  // by rank: its place on this one's node; -1: it is on another
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const Knowledge> knowledge_;  // of the machine; null for one rank
  int cores_ = 0;                               // that its ranks of a node share; 0: one for each
  NodeTransport transport_;
  std::unique_ptr<NodeMemory> node_;  // null: there is none to share
  /// Of all blocking calls: there is one at a time.
  const std::shared_ptr<Workspace> workspace_ = std::make_shared<Workspace>();
  struct KeptPlan {
    std::uint64_t fingerprint;
    std::unique_ptr<Plan> plan;
  };
  std::vector<KeptPlan> plans_;
  unsigned long long uses_ = 0;
  unsigned drops_ = 0;
  std::map<LearningKey, std::unique_ptr<Learning>> learnings_;
  std::map<std::pair<LearningKey, Work>, Choice> on_mesh_;

  struct KnownType {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    TypeShape shape;
  } types_[2];
  int next_type_ = 0;
  struct KnownReduction {
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool commutes = true;
    Reduction reduction;
  } reduction_;

  /// Calls that come again, each at one of four places, the last one first; and the one that is
  /// new, or does not last.
  std::array<std::array<std::unique_ptr<Operation>, 4>, 16> blocking_;
  std::unique_ptr<Operation> passing_ = std::make_unique<Operation>(*this);
};

/// The communicator of those ranks of another that name the same part, in the order of their
/// places; the other itself if that is so already. Collective; null on all if there is none, and
/// why.
MPI_Comm make_part(MPI_Comm comm, int part, int place, const char*& why);
/// Frees one that was made so, and is not the other itself.
void free_part(MPI_Comm part);

}  // namespace tutti::core
