// Makes a communicator's state, and equips it.

#include "api/call/communicator.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "api/call/at_hand.hpp"
#include "api/call/first_guess.hpp"
#include "api/process/keyval.hpp"
#include "api/process/settings.hpp"
#include "api/watch/record.hpp"
#include "api/watch/trace.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"

namespace tutti::core {

namespace {

using StatePointer = std::shared_ptr<CommunicatorState>;

/// Grows whenever a communicator's state is taken from it.
std::atomic<unsigned> generation{0};

int keyval() {
  static const int key = make_keyval([](MPI_Comm, int, void* value, void*) -> int {
    generation.fetch_add(1, std::memory_order_acq_rel);
    delete static_cast<StatePointer*>(value);
    return MPI_SUCCESS;
  });
  return key;
}

/// Each reason once.
void tell(const char* why) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::scoped_lock lock(mutex);
  if (told.insert(why).second)
    std::fprintf(stderr, "tutti: %s: collectives of this communicator go to the MPI\n", why);
}

/// How a communicator's ranks are the world's.
int likeness_to_world(MPI_Comm comm, int p) {
  int all = 0, likeness = MPI_UNEQUAL;
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  if (p == all) PMPI_Comm_compare(comm, MPI_COMM_WORLD, &likeness);
  return likeness;
}

/// Calls on all communicators of the world's ranks count together.
Young& young_of_world() {
  static auto* const young = new Young(settings().young);  // there are calls until the very end
  return *young;
}

}  // namespace

CommunicatorState* CommunicatorState::of(MPI_Comm comm) {
  // Asking the MPI for an attribute takes a lock. A handle means the same until a state is gone.
  struct Known {
    MPI_Comm comm = MPI_COMM_NULL;
    CommunicatorState* state = nullptr;
    unsigned generation = 0;
  };
  constexpr int bits = 4;
  thread_local std::array<Known, 1 << bits> known;
  constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;  // of Fibonacci hashing
  const std::uint64_t handle = std::hash<MPI_Comm>{}(comm);
  Known& last = known[(handle * multiplier) >> (64 - bits)];
  const unsigned now = generation.load(std::memory_order_acquire);
  if (last.comm == comm && last.generation == now && last.state != nullptr) return last.state;
  last.state = find(comm);
  last.comm = comm;
  last.generation = now;
  return last.state;
}

CommunicatorState* CommunicatorState::find(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  void* found = nullptr;
  int exists = 0;
  if (PMPI_Comm_get_attr(comm, keyval(), &found, &exists) != MPI_SUCCESS) return nullptr;
  if (exists) return static_cast<StatePointer*>(found)->get();
  int inter = 0, world_is_there = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Initialized(&world_is_there);  // not so with sessions alone
  if (inter || !world_is_there) return nullptr;
  int p = 1;
  Rank rank = 0;
  PMPI_Comm_size(comm, &p);
  PMPI_Comm_rank(comm, &rank);
  if (std::shared_ptr<CommunicatorState> known = at_hand::take(comm, p, rank)) {
    // Its calls go on being numbered: messages of one that failed may still come.
    known->numbers_.trace_id = trace_id(comm);
    PMPI_Comm_set_attr(comm, keyval(), new StatePointer(known));
    return known.get();
  }
  auto* const state = new StatePointer(new CommunicatorState);
  CommunicatorState& made = **state;
  made.p_ = p;
  made.rank_ = rank;
  if (made.p_ > 1 && !is_one_road(comm)) made.refuse(not_the_same);
  PMPI_Comm_set_attr(comm, keyval(), state);
  // Where all of the world are, what is told at the end can be gathered.
  if (!has_world_met() && likeness_to_world(comm, made.p_) != MPI_UNEQUAL) {
    explain_at_finalize();
    if (made.unusable_ == nullptr) trace_world();
    if (made.unusable_ == nullptr) meet_world();
  }
  if (made.p_ > 1 && made.p_ <= most_compared_ranks && calls_world_in_turn())
    if (const int like = likeness_to_world(comm, made.p_);
        like == MPI_IDENT || like == MPI_CONGRUENT)
      made.young_ = &young_of_world();
  if (made.unusable_ == nullptr) made.numbers_.trace_id = trace_id(comm);
  // Of young calls, too.
  if (made.unusable_ == nullptr && made.p_ > 1 && records())
    made.site_ = Site::of(comm, made.rank_, in_the_world(comm));
  return state->get();
}

CommunicatorState::CommunicatorState() : own_young_(settings().young) {}

CommunicatorState::~CommunicatorState() { at_hand::forget(*this); }

void CommunicatorState::refuse(const char* why) {
  unusable_ = site_.transport.why = why;
  if (rank_ == 0) tell(why);
}

bool CommunicatorState::is_young_kind(const Call& call) {
  // One rank is prepared for without a message.
  if (equipment_ == nullptr || p_ == 1) return false;
  const Profile& profile = equipment_->knowledge()->profile;
  return equipment_->young_kinds().note(call.collective, common_bytes(call), call.root, p_,
                                        is_decided(call, *site().topology, profile));
}

void CommunicatorState::equip(MPI_Comm comm, const Call* by) {
  if (equipment_ != nullptr || unusable_ != nullptr) return;
  const char* why = nullptr;
  equipment_.reset(Equipment::for_ranks_of(comm, p_, rank_, why).release());
  young_->begin_again();
  if (equipment_ == nullptr) return refuse(why);
  if (equipment_->is_for_hand()) at_hand::note(comm, *this);
  if (equipment_->is_new()) equipment_->know(first_guess(*this, equipment_->knowledge()));
  if (by != nullptr) equipment_->young_kinds().earn(by->collective, common_bytes(*by), by->root);
}

}  // namespace tutti::core
