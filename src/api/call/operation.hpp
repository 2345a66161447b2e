// A collective call of one rank, run at once or started and driven later.

#pragma once

#include <array>
#include <atomic>

#include "api/call/description.hpp"
#include "api/call/plan.hpp"
#include "api/watch/observer.hpp"

namespace tutti::core {

/// A collective call of one rank, from MPI's arguments to the result. It can be run at once, or
/// started and driven later, again and again.
class Operation final : public Description, public Watched {
 public:
  explicit Operation(CommunicatorState& state) : Description(state) {}
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  /// Forgets the last description, and the plans for it.
  void clear(Collective collective);

  /// Takes the plan that it had for this request last, if that is there: nothing else is to be
  /// asked.
  bool takes_known_plan(int request);
  /// Finds a plan, or makes one. `request`: what was asked for (requests.hpp). `blocking`: to be
  /// run, not started. Throws std::runtime_error if what was asked for cannot run. Returns
  /// in what the call takes its turn: Planning::end_turn must follow it; null: in nothing.
  Learning* plan(int request, bool blocking);
  /// These return an MPI error code, not raised yet. Whoever runs it tells who watches.
  int run();
  int start();
  /// One step. True: it is done, and may be gone already if another thread waits for it.
  bool progress();

  /// The plan is to leave it to the MPI, on all ranks alike.
  bool is_native() const { return plan_->execution == nullptr; }
  /// Where calls of the plan are noted.
  Noter& noter() const { return *plan_->noter; }
  /// The call is left to the MPI: the plan is free again.
  void release();

  const Call& watched_call() const override { return call; }
  int cores() const override;
  TraceCall::Key trace_key(bool native) const override;
  void trace_into(Recorder* to, std::uint32_t number) override {
    binding_.recorder = to;
    binding_.recorded = number;
  }

  bool done() const { return done_.load(std::memory_order_acquire); }
  int error() const { return error_; }

 private:
  int bind();
  int finish();

  Binding binding_;
  std::optional<Observed> observed_;  // once it was started
  Plan* plan_ = nullptr;
  /// Plans of the description, each for a request, unless plans were dropped since. The first place
  /// is for calls that ask for nothing: no request that is made in turns with them may take it.
  struct Found {
    Plan* plan = nullptr;
    int request = 0;
    unsigned drops = 0;
  };
  Found& found(int request) {
    return found_[request == 0 ? 0 : 1 + static_cast<std::size_t>(request) % (found_.size() - 1)];
  }
  std::array<Found, 1 + 32> found_;
  bool has_found_ = false;
  std::unique_ptr<Plan> own_plan_;
  std::atomic<bool> done_{true};
  int error_ = MPI_SUCCESS;
};

/// Operations that were started and not yet seen to end. Whoever waits in Tutti moves them all:
/// another rank may need it.
void add_pending(Operation& operation);
/// One step of each. Returns at once if another thread is at it.
void progress_pending();
bool anything_pending();
/// Starts a call of the MPI's own and waits for its end, and moves what is pending meanwhile.
template <class Start>
int wait_for(Start&& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  int error = start(&request);
  for (int done = 0; error == MPI_SUCCESS && !done;) {
    error = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    progress_pending();
  }
  return error;
}
/// Waits until all ranks of a communicator are here, and moves what is pending. After that a call
/// of the MPI's own may block: nobody waits elsewhere.
void meet(MPI_Comm comm);

}  // namespace tutti::core
