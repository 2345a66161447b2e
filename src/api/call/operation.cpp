// Runs an operation by its plan, and moves those that are under way.

#include "api/call/operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include "api/call/communicator.hpp"
#include "api/process/native.hpp"
#include "select/choose.hpp"

namespace tutti::core {

Operation::~Operation() { release(); }

void Operation::clear(Collective collective) {
  Description::clear(collective);
  if (has_found_) found_.fill({});
  has_found_ = false;
}

bool Operation::takes_known_plan(int request) {
  const Found& known = found(request);
  if (known.plan == nullptr || known.request != request) return false;
  KeptPlans& plans = state().planning().plans();
  if (known.drops != plans.drops() || known.plan->busy.load(std::memory_order_acquire))
    return false;
  plan_ = known.plan;
  plans.use(*plan_);
  return true;
}

Learning* Operation::plan(int request, bool blocking) {
  // It may have been described before anybody knew.
  if (call.topology != state().site().topology) call.topology = state().site().topology;
  Planning& planning = state().planning();
  const Planning::Learns learns =
      request == 0 && blocking ? planning.learning_of(*this) : Planning::Learns{};
  planning.find_plan(call, request, blocking, learns.learning, plan_, own_plan_);
  const bool takes_turn = learns.learning != nullptr && !learns.learning->learner.settled();
  // The next call may have another's turn, and a plan of its own takes the last one's place.
  const bool stays = !takes_turn && !learns.waits && plan_ != own_plan_.get();
  found(request) = {stays ? plan_ : nullptr, request, planning.plans().drops()};
  has_found_ = true;
  return takes_turn ? learns.learning : nullptr;
}

int Operation::bind() {
  binding_.comm = state().equipment().comm();
  binding_.tag = state().equipment().next_tag();
  binding_.call = state().numbers().next_call();
  binding_.reduction = &reduction;
  int error = MPI_SUCCESS;
  binding_.input = in.read(error);
  binding_.output = out.write(filled, error);
  return error;
}

int Operation::finish() {
  int error = MPI_SUCCESS;
  out.finish(combines() ? out_bytes : out.bytes(), error);
  return error;
}

void Operation::release() {
  if (plan_ != nullptr) plan_->busy.store(false, std::memory_order_release);
  plan_ = nullptr;
}

int Operation::cores() const { return state().site().cores; }

TraceCall::Key Operation::trace_key(bool native) const {
  RunningNumbers& numbers = state().numbers();
  return {numbers.trace_id, native, native ? numbers.next_native() : binding_.call};
}

int Operation::run() {
  // Whatever is thrown, memory that is short: the plan is free again.
  struct Releases {
    Operation& operation;
    ~Releases() { operation.release(); }
  } const releases{*this};
  error_ = bind();
  // Blocking calls come one after the other, on all ranks in the same order: what goes through
  // memory needs no matching.
  binding_.channels = state().site().channels();
  binding_.blocks = !anything_pending();
  if (!error_) error_ = plan_->execution->start(binding_);
  while (!error_ && !plan_->execution->done()) {
    if (anything_pending()) {
      error_ = plan_->execution->progress();
      progress_pending();
    } else {
      // Waiting keeps the MPI going, which nothing else does any more.
      error_ = plan_->execution->wait();
    }
  }
  if (error_ && binding_.channels != nullptr)
    if (const int refusal = binding_.channels->neighbours().take_refusal())
      throw std::runtime_error(fmt::format(
          "rank {} cannot read a neighbour's memory ({}){}", call.rank, std::strerror(refusal),
          refusal == EPERM || refusal == EACCES || refusal == ENOSYS ? ": set TUTTI_NODE=copy"
                                                                     : ""));
  if (!error_) error_ = finish();
  return error_;
}

int Operation::start() {
  observed_.emplace();
  observed_->runs(noter(), call.rank == 0, *this);
  done_.store(false, std::memory_order_relaxed);
  error_ = bind();
  binding_.channels = nullptr;
  binding_.blocks = false;
  if (!error_) error_ = plan_->execution->start(binding_);
  const bool ends = error_ || plan_->execution->done();
  if (ends && !error_) error_ = finish();
  if (!ends) observed_->pause();
  if (ends) observed_->end();
  if (ends) done_.store(true, std::memory_order_release);
  return error_;
}

bool Operation::progress() {
  observed_->resume();
  error_ = plan_->execution->progress();
  const bool ends = error_ || plan_->execution->done();
  if (ends && !error_) error_ = finish();
  if (!ends) observed_->pause();
  if (ends) observed_->end();
  // From here on another thread may end the operation, and all that belongs to it.
  if (ends) done_.store(true, std::memory_order_release);
  return ends;
}

namespace {

std::mutex pending_mutex;
std::vector<Operation*>& pending() {
  static auto* const list = new std::vector<Operation*>;
  return *list;
}
std::atomic<int> pending_count{0};

}  // namespace

void add_pending(Operation& operation) {
  const std::scoped_lock lock(pending_mutex);
  pending().push_back(&operation);
  pending_count.fetch_add(1, std::memory_order_relaxed);
}

void progress_pending() {
  const std::unique_lock lock(pending_mutex, std::try_to_lock);
  if (!lock) return;
  std::erase_if(pending(), [](Operation* operation) {
    const bool ends = operation->progress();
    if (ends) pending_count.fetch_sub(1, std::memory_order_relaxed);
    return ends;
  });
}

void meet(MPI_Comm comm) {
  wait_for([&](MPI_Request* request) { return native().ibarrier(comm, request); });
}

bool anything_pending() { return pending_count.load(std::memory_order_relaxed) > 0; }

}  // namespace tutti::core
