#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include "execute/mpi/execution.hpp"

namespace tutti {

/// What makes two calls on a communicator the same to a plan: ids and sizes of our own, no MPI
/// handle.
struct PlanKey {
  Call call;
  Elements elements;
  unsigned epoch = 0;  // changes when somebody forces another algorithm

  bool operator==(const PlanKey& other) const;
};

/// A prepared schedule, and what it is called.
struct Plan {
  PlanKey key;
  const Algorithm* algorithm = nullptr;
  std::string why;
  std::unique_ptr<MpiExecution> execution;
  std::atomic<unsigned long long>* counter = nullptr;  // calls of this algorithm
  unsigned long long last_use = 0;
};

/// What Tutti keeps for a communicator, as an attribute of it: a private communicator over the same
/// group, plans, and room to pack. None of it is seen by the program.
class CommunicatorState {
 public:
  /// The state of a communicator, made at its first collective. Null: the MPI's own must do (an
  /// intercommunicator, or no context was left for a private one, on all ranks alike).
  static CommunicatorState* of(MPI_Comm comm);

  ~CommunicatorState();
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  int p() const { return p_; }
  Rank rank() const { return rank_; }
  MPI_Comm comm() const { return private_; }
  int next_tag() { return tag_ = (tag_ + 1) % 16384; }

  /// The plan for a call, or null if there is none yet.
  Plan* find(const PlanKey& key);
  /// Keeps a plan, and drops the one not used for longest if there are too many.
  Plan* keep(Plan plan);

  /// Room to pack what does not lie in memory as bytes.
  std::vector<char> packed_input, packed_output;

 private:
  CommunicatorState() = default;

  MPI_Comm private_ = MPI_COMM_NULL;
  int p_ = 1;
  Rank rank_ = 0;
  int tag_ = 0;
  bool usable_ = false;
  std::vector<std::unique_ptr<Plan>> plans_;
  Plan* last_ = nullptr;
  unsigned long long uses_ = 0;
};

}  // namespace tutti
