// Makes a communicator's state, and plans for its calls.

#include "api/call/communicator.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "api/call/first_guess.hpp"
#include "api/machine/learned_store.hpp"
#include "api/process/keyval.hpp"
#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "api/process/settings.hpp"
#include "api/watch/record.hpp"
#include "api/watch/trace.hpp"
#include "schedule/bytes.hpp"

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

/// Private communicators alive. An MPI has a few thousand communicators for everybody: the program
/// must not run out of them on our account.
std::atomic<std::size_t> private_communicators{0};

/// A communicator that `make` makes of another, or why there is none: on all ranks alike, if they
/// have the same settings. The program's error handler does not see a failure.
template <class Make>
MPI_Comm make_together(MPI_Comm comm, Make&& make, const char*& why) {
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  meet(comm);
  // Every rank must take the same road: all must have room.
  const int room = private_communicators.load(std::memory_order_relaxed) < settings().communicators;
  int all_have_room = 0;
  native().allreduce(&room, &all_have_room, 1, MPI_INT, MPI_MIN, comm);
  MPI_Comm result = MPI_COMM_NULL;
  if (all_have_room) {
    int made = make(&result) == MPI_SUCCESS && result != MPI_COMM_NULL;
    int all_made = 0;
    native().allreduce(&made, &all_made, 1, MPI_INT, MPI_MIN, comm);
    if (!all_made && made) PMPI_Comm_free(&result);
  }
  PMPI_Comm_set_errhandler(comm, handler);
  if (result != MPI_COMM_NULL) PMPI_Comm_set_errhandler(result, handler);
  PMPI_Errhandler_free(&handler);
  if (result == MPI_COMM_NULL) {
    why = all_have_room ? "the MPI has no communicator left"
                        : "too many communicators (TUTTI_COMMUNICATORS)";
    return result;
  }
  private_communicators.fetch_add(1, std::memory_order_relaxed);
  return result;
}

/// A communicator over the same group, or why there is none. Made without duplicating, which would
/// run the program's own copy callbacks.
MPI_Comm make_private(MPI_Comm comm, const char*& why) {
  const auto make = [comm](MPI_Comm* result) {
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    const int error = PMPI_Comm_create(comm, group, result);
    PMPI_Group_free(&group);
    return error;
  };
  MPI_Comm result = make_together(comm, make, why);
  if (result != MPI_COMM_NULL) PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

/// Each reason once.
void tell(const char* why) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::scoped_lock lock(mutex);
  if (told.insert(why).second)
    std::fprintf(stderr, "tutti: %s: collectives of this communicator go to the MPI\n", why);
}

bool is_whole_world(MPI_Comm comm, int p) {
  int all = 0, likeness = MPI_UNEQUAL;
  PMPI_Comm_size(MPI_COMM_WORLD, &all);
  if (p == all) PMPI_Comm_compare(comm, MPI_COMM_WORLD, &likeness);
  return likeness != MPI_UNEQUAL;
}

/// The largest tag of the MPI.
int last_tag() {
  void* largest = nullptr;
  int exists = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &exists);
  return exists ? *static_cast<int*>(largest) : 32767;
}

}  // namespace

CommunicatorState* CommunicatorState::of(MPI_Comm comm) {
  // Asking the MPI for an attribute takes a lock. A handle means the same until a state is gone.
  thread_local struct {
    MPI_Comm comm = MPI_COMM_NULL;
    CommunicatorState* state = nullptr;
    unsigned generation = 0;
  } last;
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
  auto* const state = new StatePointer(new CommunicatorState);
  CommunicatorState& made = **state;
  PMPI_Comm_size(comm, &made.p_);
  PMPI_Comm_rank(comm, &made.rank_);
  made.numbers_.last_tag = last_tag();
  if (made.p_ > 1 && !is_one_road(comm)) made.refuse(not_the_same);
  PMPI_Comm_set_attr(comm, keyval(), state);
  // Where all of the world are, what is told at the end can be gathered.
  if (is_whole_world(comm, made.p_)) {
    explain_at_finalize();
    if (made.unusable_ == nullptr) trace_world();
    if (made.unusable_ == nullptr) meet_world();
  }
  if (made.unusable_ == nullptr) made.numbers_.trace_id = trace_id(comm);
  if (made.unusable_ == nullptr && records()) made.locate(comm);  // of young calls, too
  return state->get();
}

CommunicatorState::CommunicatorState() : young_(settings().young) {}

void CommunicatorState::refuse(const char* why) {
  unusable_ = site_.transport.why = why;
  if (rank_ == 0) tell(why);
}

void CommunicatorState::locate(MPI_Comm comm) {
  if (site_.topology != nullptr || p_ == 1) return;
  const Homes homes = homes_of(comm);
  site_.topology = topology_of(comm, homes);
  site_.cores = homes.fewest_cores();
  site_.is_crowded = homes.node_of_rank(rank_).is_crowded();
  site_.places = homes.places_seen_by(rank_);
}

bool CommunicatorState::is_young(const Call& call) {
  // One rank is prepared for at once, without a message.
  return p_ > 1 && young_.note(call.collective, size_class_of(common_bytes(call)), p_);
}

void CommunicatorState::equip(MPI_Comm comm) {
  if (planning_ != nullptr || unusable_ != nullptr) return;
  if (p_ > 1) private_ = make_private(comm, unusable_);
  if (unusable_ != nullptr) return refuse(unusable_);
  planning_ = std::make_unique<Planning>(*this);
  if (p_ == 1) {
    site_.transport.why = "no two ranks share a node";
    return;
  }
  knowledge_ = share_knowledge(private_);
  locate(private_);
  site_.memory =
      NodeMemory::share(private_, site_.places, site_.is_crowded, rank_, site_.transport);
  knowledge_ = first_guess(*this, knowledge_);
}

MPI_Comm make_part(MPI_Comm comm, int part, int place, const char*& why) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  meet(comm);
  const int mine[3] = {rank == place, part, -part};
  int least[3] = {};
  native().allreduce(mine, least, 3, MPI_INT, MPI_MIN, comm);
  if (least[0] != 0 && least[1] == -least[2]) return comm;
  return make_together(
      comm, [=](MPI_Comm* result) { return PMPI_Comm_split(comm, part, place, result); }, why);
}

void free_part(MPI_Comm part) {
  PMPI_Comm_free(&part);
  private_communicators.fetch_sub(1, std::memory_order_relaxed);
}

CommunicatorState::~CommunicatorState() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (private_ == MPI_COMM_NULL || finalized) return;
  PMPI_Comm_free(&private_);
  private_communicators.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace tutti::core
