// Notes states, keeps them while nobody uses them, and finds them again.

#include "api/call/at_hand.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "api/call/communicator.hpp"
#include "api/process/finalize.hpp"
#include "api/process/settings.hpp"

namespace tutti::core::at_hand {

namespace {

/// More would hold memory and communicators of the MPI for nothing.
constexpr std::size_t most = 32;
/// To see whether more ranks are the same takes long.
constexpr int most_compared = 256;

struct Noted {
  CommunicatorState* state;
  MPI_Comm comm;                            // null: nobody uses it
  std::shared_ptr<CommunicatorState> kept;  // then
};
/// Never destroyed: communicators may be freed until the very end.
std::vector<Noted>& noted() {
  static auto* const value = new std::vector<Noted>;
  return *value;
}

std::atomic<bool> frees_are_told{false};

void close() {
  const std::vector<Noted> all = std::move(noted());
  noted().clear();
}

}  // namespace

void tell_of_frees() { frees_are_told.store(true, std::memory_order_relaxed); }

bool has_room(int p) {
  if (p > most_compared || !frees_are_told.load(std::memory_order_relaxed)) return false;
  int threads = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&threads);
  return threads != MPI_THREAD_MULTIPLE &&
         noted().size() < std::min(most, settings().communicators / 4);
}

void note(MPI_Comm comm, CommunicatorState& state) {
  static std::once_flag once;
  std::call_once(once, at_finalize, close);
  if (comm != MPI_COMM_WORLD) noted().push_back({&state, comm, nullptr});
}

void forget(const CommunicatorState& state) {
  if (!noted().empty())
    std::erase_if(noted(), [&](const Noted& each) { return each.state == &state; });
}

void let_go(MPI_Comm comm) {
  for (Noted& each : noted())
    if (each.comm == comm) {
      each.comm = MPI_COMM_NULL;
      each.kept = each.state->shared_from_this();
      return;
    }
}

std::shared_ptr<CommunicatorState> take(MPI_Comm comm, int p, Rank rank) {
  Noted* first = nullptr;
  for (Noted& each : noted()) {
    if (each.comm != MPI_COMM_NULL || each.state->p() != p || each.state->rank() != rank) continue;
    const Equipment& equipment = each.state->equipment();
    if (first != nullptr && first->state->equipment().number() < equipment.number()) continue;
    int likeness = MPI_UNEQUAL;
    PMPI_Comm_compare(equipment.comm(), comm, &likeness);
    if (likeness == MPI_CONGRUENT) first = &each;
  }
  if (first == nullptr) return nullptr;
  first->comm = comm;
  return std::move(first->kept);
}

}  // namespace tutti::core::at_hand
