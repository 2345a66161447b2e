// Notes states, keeps them while nobody uses them, and finds them again.

#include "api/call/at_hand.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "api/call/communicator.hpp"
#include "api/process/finalize.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"

namespace tutti::core::at_hand {

namespace {

/// More would hold memory and communicators of the MPI for nothing.
constexpr std::size_t most = 32;

struct Noted {
  CommunicatorState* state;
  MPI_Comm comm;                            // null: nobody uses it
  std::shared_ptr<CommunicatorState> kept;  // then
};
/// Those of the same ranks.
using Group = std::vector<Noted>;

/// Never destroyed: communicators may be freed until the very end.
std::vector<Group>& groups() {
  static auto* const value = new std::vector<Group>;
  return *value;
}

std::atomic<bool> frees_are_told{false};

void close() {
  const std::vector<Group> all = std::move(groups());
  groups().clear();
}

Group* group_of(MPI_Comm comm, int p, Rank rank) {
  for (Group& each : groups()) {
    const CommunicatorState& state = *each.front().state;
    int likeness = MPI_UNEQUAL;
    if (state.p() == p && state.rank() == rank)
      PMPI_Comm_compare(state.equipment().comm(), comm, &likeness);
    if (likeness == MPI_CONGRUENT) return &each;
  }
  return nullptr;
}

}  // namespace

void tell_of_frees() {
  static std::once_flag once;
  std::call_once(once, at_finalize, close);
  frees_are_told.store(true, std::memory_order_relaxed);
}

bool has_room(int p) {
  if (p > most_compared_ranks || !frees_are_told.load(std::memory_order_relaxed)) return false;
  int threads = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&threads);
  std::size_t noted = 0;
  for (const Group& each : groups()) noted += each.size();
  return threads != MPI_THREAD_MULTIPLE && noted < std::min(most, settings().communicators / 4);
}

void note(MPI_Comm comm, CommunicatorState& state) {
  if (comm == MPI_COMM_WORLD) return;  // it is never freed
  Group* group = group_of(comm, state.p(), state.rank());
  if (group == nullptr) group = &groups().emplace_back();
  group->push_back({&state, comm, nullptr});
}

void forget(const CommunicatorState& state) {
  if (groups().empty()) return;
  for (Group& each : groups())
    std::erase_if(each, [&](const Noted& noted) { return noted.state == &state; });
  std::erase_if(groups(), [](const Group& each) { return each.empty(); });
}

void let_go(MPI_Comm comm) {
  for (Group& group : groups())
    for (Noted& each : group)
      if (each.comm == comm && comm != MPI_COMM_NULL) {
        each.comm = MPI_COMM_NULL;
        each.kept = each.state->shared_from_this();
        each.state->rest();
        return;
      }
}

namespace {

/// The first state of a group, from this number on, that nobody uses and that may be used.
Noted* first_of(Group& group, std::int64_t from) {
  Noted* first = nullptr;
  for (Noted& each : group) {
    if (each.kept == nullptr || each.state->equipment().has_failed()) continue;
    const std::int64_t number = each.state->equipment().number();
    if (number >= from && (first == nullptr || number < first->state->equipment().number()))
      first = &each;
  }
  return first;
}

}  // namespace

std::shared_ptr<CommunicatorState> take(MPI_Comm comm, int p, Rank rank) {
  Group* const group = groups().empty() ? nullptr : group_of(comm, p, rank);
  if (group == nullptr) return nullptr;
  for (std::int64_t from = 0;;) {
    Noted* const first = first_of(*group, from);
    // A call that failed on one rank may have left the others' numbers behind.
    const long long number = first == nullptr ? -1 : first->state->equipment().number();
    const long long calls = first == nullptr ? 0 : first->state->numbers().calls;
    const long long mine[4] = {number, -number, calls, -calls};
    long long least[4] = {-1, 0, 0, 0};
    // Nonblocking: some ranks may have operations that others wait for.
    const int error = wait_for([&](MPI_Request* request) {
      return native().iallreduce(mine, least, 4, MPI_LONG_LONG, MPI_MIN, comm, request);
    });
    if (error != MPI_SUCCESS || least[0] < 0) return nullptr;
    const bool is_same = least[0] == -least[1];
    if (is_same && least[2] == -least[3]) {
      first->comm = comm;
      return std::move(first->kept);
    }
    // Some have not freed it yet, or never will: the next one that all may have.
    from = is_same ? least[0] + 1 : -least[1];
  }
}

}  // namespace tutti::core::at_hand
