#include "api/communicator.hpp"

#include <algorithm>

#include "api/native.hpp"

namespace tutti {

namespace {

constexpr std::size_t most_plans = 64;

int keyval() {
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(
        MPI_COMM_NULL_COPY_FN,
        [](MPI_Comm, int, void* value, void*) -> int {
          delete static_cast<CommunicatorState*>(value);
          return MPI_SUCCESS;
        },
        &created, nullptr);
    return created;
  }();
  return key;
}

/// A communicator over the same group. Made without duplicating, which would run the program's own
/// copy callbacks; the program's error handler does not see a failure.
MPI_Comm make_private(MPI_Comm comm) {
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Group group;
  MPI_Comm result = MPI_COMM_NULL;
  PMPI_Comm_group(comm, &group);
  int made = PMPI_Comm_create(comm, group, &result) == MPI_SUCCESS && result != MPI_COMM_NULL;
  PMPI_Group_free(&group);
  // All or none: every rank must take the same road.
  int all = 0;
  native().allreduce(&made, &all, 1, MPI_INT, MPI_MIN, comm);
  PMPI_Comm_set_errhandler(comm, handler);
  PMPI_Errhandler_free(&handler);
  if (!all && made) PMPI_Comm_free(&result);
  if (!all) return MPI_COMM_NULL;
  PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

}  // namespace

bool PlanKey::operator==(const PlanKey& other) const {
  return call.collective == other.call.collective && call.count == other.call.count &&
         call.root == other.call.root && call.in_place == other.call.in_place &&
         call.commutative == other.call.commutative && elements == other.elements &&
         epoch == other.epoch && call.counts == other.call.counts &&
         call.send_counts == other.call.send_counts && call.recv_counts == other.call.recv_counts;
}

CommunicatorState* CommunicatorState::of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  void* found = nullptr;
  int exists = 0;
  if (PMPI_Comm_get_attr(comm, keyval(), &found, &exists) != MPI_SUCCESS) return nullptr;
  if (exists) {
    auto* state = static_cast<CommunicatorState*>(found);
    return state->usable_ ? state : nullptr;
  }
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) return nullptr;
  auto* state = new CommunicatorState;
  PMPI_Comm_size(comm, &state->p_);
  PMPI_Comm_rank(comm, &state->rank_);
  if (state->p_ > 1) state->private_ = make_private(comm);
  state->usable_ = state->p_ == 1 || state->private_ != MPI_COMM_NULL;
  PMPI_Comm_set_attr(comm, keyval(), state);
  return state->usable_ ? state : nullptr;
}

CommunicatorState::~CommunicatorState() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (private_ != MPI_COMM_NULL && !finalized) PMPI_Comm_free(&private_);
}

Plan* CommunicatorState::find(const PlanKey& key) {
  ++uses_;
  if (last_ != nullptr && last_->key == key) {
    last_->last_use = uses_;
    return last_;
  }
  for (const auto& plan : plans_)
    if (plan->key == key) {
      plan->last_use = uses_;
      return last_ = plan.get();
    }
  return nullptr;
}

Plan* CommunicatorState::keep(Plan plan) {
  if (plans_.size() == most_plans) {
    const auto oldest =
        std::min_element(plans_.begin(), plans_.end(),
                         [](const auto& a, const auto& b) { return a->last_use < b->last_use; });
    plans_.erase(oldest);
  }
  plan.last_use = uses_;
  plans_.push_back(std::make_unique<Plan>(std::move(plan)));
  return last_ = plans_.back().get();
}

}  // namespace tutti
