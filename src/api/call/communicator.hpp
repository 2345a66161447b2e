// What Tutti keeps for a communicator.

#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "api/call/blocking_calls.hpp"
#include "api/call/equipment.hpp"
#include "select/young.hpp"

namespace tutti::core {

/// What its calls are numbered by.
struct RunningNumbers {
  std::uint32_t next_call() { return ++calls; }
  std::uint32_t next_native() { return ++natives; }

  std::uint32_t calls = 0;
  std::uint32_t natives = 0;  // calls left to the MPI, where they are recorded
  /// What all ranks know the communicator by in a trace; -1: nothing is recorded.
  std::int64_t trace_id = -1;
};

/// What Tutti keeps for a communicator, as an attribute of it. It begins with little more than
/// counts of calls. When one of their classes has earned it, or somebody asks for an algorithm, it
/// is equipped. None of it is seen by the program. It lives until the communicator is freed and no
/// operation on it is left; or serves the next communicator of the same ranks (at_hand.hpp).
class CommunicatorState : public std::enable_shared_from_this<CommunicatorState> {
 public:
  /// The state of a communicator, made at its first collective, or taken if one may be at hand, on
  /// which its ranks agree. Else no message is needed if they are of one world, whose settings were
  /// compared. Null: it is none, or one between two groups.
  static CommunicatorState* of(MPI_Comm comm);

  ~CommunicatorState();
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  /// None of its classes of calls has earned yet what algorithms need. Every call for which
  /// nothing was asked by name comes to is_young() first.
  bool is_young() const {
    return equipment_ == nullptr && unusable_ == nullptr && !young_->has_earned();
  }
  /// The call is one of the first of its class, and the MPI does it: on all ranks alike.
  bool is_young(Collective collective, std::optional<std::size_t> bytes) {
    return young_->note(collective, bytes, p_);
  }
  /// The same of its kind, where one of the classes has earned that. Every such call comes here
  /// until it has a plan.
  bool is_young_kind(const Call& call);
  /// Makes what algorithms need. All ranks come here in the same call, with the communicator; after
  /// the first time it does nothing. It may turn out to be unusable. `by`: the call that earned it.
  void equip(MPI_Comm comm, const Call* by = nullptr);

  /// Nobody uses it for now.
  void rest() {
    if (blocking_) blocking_->drop_rooms();
  }

  int p() const { return p_; }
  Rank rank() const { return rank_; }
  RunningNumbers& numbers() { return numbers_; }
  /// Where its ranks live: nothing is known before it is equipped, unless calls are recorded.
  const Site& site() const { return equipment_ ? equipment_->site() : site_; }
  /// Why the MPI's own must do, on all ranks alike; null if Tutti can.
  const char* unusable() const { return unusable_; }

  /// The operations of blocking calls.
  BlockingCalls& blocking() { return blocking_ ? *blocking_ : blocking_.emplace(*this); }
  /// Only once it is equipped.
  Equipment& equipment() { return *equipment_; }
  const Equipment& equipment() const { return *equipment_; }
  Planning& planning() { return equipment_->planning(); }

 private:
  CommunicatorState();
  static CommunicatorState* find(MPI_Comm comm);
  /// The MPI does all of its calls, and a line says why.
  void refuse(const char* why);

  int p_ = 1;
  Rank rank_ = 0;
  RunningNumbers numbers_;
  const char* unusable_ = nullptr;
  Young own_young_;
  Young* young_ = &own_young_;  // or the one of all that have the world's ranks
  Site site_;
  std::unique_ptr<Equipment, Equipment::Keeps> equipment_;
  std::optional<BlockingCalls> blocking_;  // once a call is described
};

}  // namespace tutti::core
