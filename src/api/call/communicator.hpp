// What Tutti keeps for a communicator.

#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "api/call/blocking_calls.hpp"
#include "api/call/known_types.hpp"
#include "api/call/planning.hpp"
#include "api/machine/knowledge.hpp"
#include "api/machine/node_memory.hpp"
#include "api/machine/world.hpp"
#include "select/young.hpp"

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
  bool is_crowded = false;                   // this node has more ranks than cores
  NodeTransport transport;
  std::unique_ptr<NodeMemory> memory;  // null: there is none to share
};

/// What Tutti keeps for a communicator, as an attribute of it. It begins with little more than
/// counts of calls. When one of their classes has earned it, or somebody asks for an algorithm, it
/// is equipped: with a private communicator over the same group, its site, and plans. None of it is
/// seen by the program. It lives until the communicator is freed and no operation on it is left.
class CommunicatorState : public std::enable_shared_from_this<CommunicatorState> {
 public:
  /// The state of a communicator, made at its first collective; no message is needed if its ranks
  /// are of one world, whose settings were compared. Null: it is none, or one between two groups.
  static CommunicatorState* of(MPI_Comm comm);

  ~CommunicatorState();
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  /// The call is one of the first of its class, and the MPI does it: on all ranks alike. Every
  /// call for which nothing was asked by name comes here until it has a plan.
  bool is_young(const Call& call);
  /// Makes what algorithms need. All ranks come here in the same call, with the communicator; after
  /// the first time it does nothing. It may turn out to be unusable.
  void equip(MPI_Comm comm);

  int p() const { return p_; }
  Rank rank() const { return rank_; }
  MPI_Comm comm() const { return private_; }
  RunningNumbers& numbers() { return numbers_; }
  const Site& site() const { return site_; }
  const Knowledge* knowledge() const { return knowledge_.get(); }
  /// Why the MPI's own must do, on all ranks alike; null if Tutti can.
  const char* unusable() const { return unusable_; }

  KnownTypes& types() { return types_; }
  /// The operations of blocking calls.
  BlockingCalls& blocking() { return blocking_; }
  /// Which plans its calls take; only once it is equipped.
  Planning& planning() { return *planning_; }

 private:
  CommunicatorState();
  static CommunicatorState* find(MPI_Comm comm);
  /// Finds out where its ranks live.
  void locate(MPI_Comm comm);
  /// The MPI does all of its calls, and a line says why.
  void refuse(const char* why);
  MPI_Comm private_ = MPI_COMM_NULL;
  int p_ = 1;
  Rank rank_ = 0;
  RunningNumbers numbers_;
  const char* unusable_ = nullptr;
  Young young_;
  Site site_;
  std::shared_ptr<const Knowledge> knowledge_;  // of the machine; null for one rank
  std::unique_ptr<Planning> planning_;          // null: not equipped
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
