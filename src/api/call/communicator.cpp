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
#include "api/process/settings.hpp"
#include "api/watch/trace.hpp"

namespace tutti::core {

namespace {

/// Plans, and what they may keep beside their schedules, the newest apart.
#ifdef TUTTI_SIMULATED  // all ranks share one process
constexpr std::size_t most_plans = 64;
constexpr std::size_t most_plan_bytes = 1u << 20;
#else
constexpr std::size_t most_plans = 256;
constexpr std::size_t most_plan_bytes = 64u << 20;
#endif

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

/// A communicator that `make` makes of another, or why there is none: on all ranks alike. The
/// program's error handler does not see a failure.
template <class Make>
MPI_Comm make_together(MPI_Comm comm, Make&& make, const char*& why) {
  MPI_Errhandler handler;
  PMPI_Comm_get_errhandler(comm, &handler);
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  meet(comm);
  // Every rank must take the same road: all must have room, and mean the same.
  const bool room =
      private_communicators.load(std::memory_order_relaxed) < settings().communicators;
  const auto road = static_cast<long long>(settings().road >> 1);
  long long mine[3] = {room, road, -road}, all[3] = {};
  native().allreduce(mine, all, 3, MPI_LONG_LONG, MPI_MIN, comm);
  MPI_Comm result = MPI_COMM_NULL;
  if (all[1] == -all[2] && all[0] != 0) {
    int made = make(&result) == MPI_SUCCESS && result != MPI_COMM_NULL;
    int all_made = 0;
    native().allreduce(&made, &all_made, 1, MPI_INT, MPI_MIN, comm);
    if (!all_made && made) PMPI_Comm_free(&result);
  }
  PMPI_Comm_set_errhandler(comm, handler);
  if (result != MPI_COMM_NULL) PMPI_Comm_set_errhandler(result, handler);
  PMPI_Errhandler_free(&handler);
  if (result == MPI_COMM_NULL) {
    why = all[1] != -all[2] ? not_the_same
          : all[0] == 0     ? "too many communicators (TUTTI_COMMUNICATORS)"
                            : "the MPI has no communicator left";
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
  made.last_tag_ = last_tag();
  if (made.p_ > 1) made.private_ = make_private(comm, made.unusable_);
  if (made.private_ != MPI_COMM_NULL) {
    made.knowledge_ = share_knowledge(made.private_);
    Node node = node_of(made.private_, made.p_, made.rank_);
    made.topology_ = topology_of(made.private_, node.places, made.rank_);
    made.cores_ = fewest_cores(made.private_, node);
    made.node_ = NodeMemory::share(made.private_, node, made.rank_, made.transport_);
    made.places_ = std::move(node.places);
    made.knowledge_ = first_guess(made, made.knowledge_);
  }
  if (made.unusable_ == nullptr) made.trace_id_ = tutti::core::trace_id(made.private_);
  if (made.unusable_ != nullptr) made.transport_.why = made.unusable_;
  if (made.p_ == 1) made.transport_.why = "no two ranks share a node";
  if (made.unusable_ != nullptr && made.rank_ == 0) tell(made.unusable_);
  PMPI_Comm_set_attr(comm, keyval(), state);
  // Where all of the world are, what is told at the end can be gathered.
  int likeness = MPI_UNEQUAL;
  PMPI_Comm_compare(comm, MPI_COMM_WORLD, &likeness);
  if (likeness != MPI_UNEQUAL) {
    explain_at_finalize();
    if (made.unusable_ == nullptr) trace_world();
  }
  return state->get();
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

void CommunicatorState::remember(const Arguments& arguments) {
  auto& places = blocking_[arguments.place(blocking_.size())];
  if (!passing_->remember(arguments)) return;
  // Where only lists hold something else, the two change places: each keeps the room it packs in.
  for (auto& each : places)
    if (each != nullptr && each->is_for_before(arguments)) return std::swap(each, passing_);
  if (places.back() == nullptr) places.back() = std::make_unique<Operation>(*this);
  std::rotate(places.begin(), places.end() - 1, places.end());
  std::swap(places.front(), passing_);
  passing_->take_rooms(*places.front());  // what does not last will pack again
}

Learning* CommunicatorState::learning_of(const Operation& operation) {
  const Call& call = operation.call;
  if (settings().learn == Settings::Learn::off || p_ == 1 || common_bytes(call) == 0)
    return nullptr;
  const Elements elements = !operation.combines() || operation.reduction.exact ? Elements::exact
                            : operation.reduction.kernel != nullptr            ? Elements::inexact
                                                                               : Elements::program;
  auto& learning = learnings_[learning_key(call, elements)];
  if (learning == nullptr)
    learning = std::make_unique<Learning>(who_takes_turns(
        call, elements, settings().learn == Settings::Learn::any, profile(), cores_));
  return learning->candidates.size() > 1 ? learning.get() : nullptr;
}

int CommunicatorState::end_turn(Learning& learning, double seconds) {
  if (!learning.learner.note(seconds)) return MPI_SUCCESS;
  const std::span<const double> lap = learning.learner.lap();
  std::vector<double> longest(lap.begin(), lap.end());
  const double begin = PMPI_Wtime();
  const int error = wait_for([&](MPI_Request* request) {
    return native().iallreduce(MPI_IN_PLACE, longest.data(), static_cast<int>(longest.size()),
                               MPI_DOUBLE, MPI_MAX, private_, request);
  });
  learning.learner.agree(longest);
  learning.learner.note_agreement(PMPI_Wtime() - begin);
  forget_who_is_out(learning);
  if (learning.learner.settled() && settings().learn == Settings::Learn::keep) remember(learning);
  return error;
}

/// What was learned for any operator, and may serve the next run.
void CommunicatorState::remember(const Learning& learning) const {
  const auto found = std::find_if(learnings_.begin(), learnings_.end(),
                                  [&](const auto& each) { return each.second.get() == &learning; });
  const LearningKey& key = found->first;
  if (!key.commutative || key.elements == Elements::program) return;
  const std::size_t best = learning.learner.next();
  const Request& request = learning.candidates[best];
  store_learned({key.collective, topology_, key.size_class,
                 request.algorithm != nullptr ? std::optional(request) : std::nullopt,
                 learning.learner.seconds(best), key.blocks, key.elements == Elements::inexact});
}

/// Plans of candidates that will not run again are freed. The choice has a reason of its own.
void CommunicatorState::forget_who_is_out(const Learning& learning) {
  const Learner& learner = learning.learner;
  const auto goes = [&](const KeptPlan& each) {
    const PlanKey& key = each.plan->key;
    return key.learning == &learning &&
           (learner.settled() ? key.candidate != learner.next() : learner.is_out(key.candidate));
  };
  drops_ += static_cast<unsigned>(std::erase_if(plans_, goes));
  if (!learner.settled()) return;
  for (const auto& [fingerprint, plan] : plans_)
    if (plan->key.learning == &learning) {
      const ExplainRow& row = plan->noter->row();
      plan->noter = std::make_unique<Noter>(explain_row(row.collective, row.size_class, row.ranks,
                                                        row.algorithm, row.parameters,
                                                        learning.why(learner.next())));
    }
}

void CommunicatorState::find_plan(const Call& call, int request, bool blocking,
                                  const Learning* learning, Plan*& plan,
                                  std::unique_ptr<Plan>& own) {
  const std::size_t turn = learning != nullptr ? learning->learner.next() : 0;
  const std::uint64_t fingerprint = PlanKey::fingerprint(call, request, blocking, learning, turn);
  for (const KeptPlan& each : plans_) {
    if (each.fingerprint != fingerprint || each.plan->busy.load(std::memory_order_acquire) ||
        !each.plan->key.is_for(call, request, blocking, learning, turn))
      continue;
    plan = each.plan.get();
    use(*plan);
    return;
  }
  if (own != nullptr && own->key.is_for(call, request, blocking, learning, turn)) {
    plan = own.get();
    return;
  }
  std::unique_ptr<Plan> made = make_plan({call, request, blocking, learning, turn});
  plan = made.get();
  use(*plan);
  drop_plans();
  if (plans_.size() < most_plans)
    plans_.push_back({fingerprint, std::move(made)});
  else
    own = std::move(made);
}

/// Makes room for a plan: those not used for longest go, until they are few and small.
void CommunicatorState::drop_plans() {
  while (!plans_.empty()) {
    std::size_t bytes = 0;
    auto oldest = plans_.end();
    for (auto each = plans_.begin(); each != plans_.end(); ++each) {
      const Plan& plan = *each->plan;
      if (plan.execution != nullptr) bytes += plan.execution->memory();
      if (!plan.busy && (oldest == plans_.end() || plan.last_use < oldest->plan->last_use))
        oldest = each;
    }
    if ((plans_.size() < most_plans && bytes <= most_plan_bytes) || oldest == plans_.end()) return;
    plans_.erase(oldest);
    ++drops_;
  }
}

const Profile& CommunicatorState::profile() const {
  return knowledge_ ? knowledge_->profile : default_profile();
}

std::unique_ptr<Noter> CommunicatorState::noter_for(const Call& call, const Choice& choice) const {
  const int size_class = size_class_of(common_bytes(call));
  const std::string_view collective = name_of(call.collective);
  if (choice.algorithm == nullptr)
    return std::make_unique<Noter>(
        explain_row(collective, size_class, p_, "native", "", choice.why));
  const std::string text = format_request(*choice.algorithm, choice.parameters);
  const std::size_t colon = text.find(':');
  return std::make_unique<Noter>(
      explain_row(collective, size_class, p_, choice.algorithm->name,
                  colon == std::string::npos ? "" : text.substr(colon + 1), choice.why));
}

Choice CommunicatorState::choice_for(const PlanKey& key) {
  const Call& call = key.call;
  if (key.learning != nullptr)
    return choose_learning(call, *key.learning, key.candidate, profile(), cores_);
  const auto decided = [&] {
    return profile().decisions.find(call.collective, *topology_, common_bytes(call).value_or(0),
                                    call.evenness());
  };
  if (!profile().mesh || key.request != 0 || decided() != nullptr)
    return choose(call, key.request, profile(), cores_);
  // Following messages over links takes long: calls of one class of sizes share a choice.
  const std::pair kind{learning_key(call, Elements::exact), call.work};
  auto known = on_mesh_.find(kind);
  if (known == on_mesh_.end())
    known = on_mesh_.emplace(kind, choose(call, key.request, profile(), cores_)).first;
  return known->second;
}

std::unique_ptr<Plan> CommunicatorState::make_plan(const PlanKey& key) {
  const Call& call = key.call;
  const Choice choice = choice_for(key);
  auto plan = std::make_unique<Plan>();
  plan->key = key;
  plan->noter = noter_for(call, choice);
  if (choice.algorithm == nullptr) return plan;
  const Channels* const near = key.blocking ? channels() : nullptr;
  // The board holds no larger element.
  const bool has_channels =
      near != nullptr && (near->attaches() || call.element_bytes <= Channels::most_on_board);
  Pieces pieces = settings().pieces;
  if (!settings().pieces_given && profile().piece > 0) pieces.bytes = profile().piece;
  plan->execution = std::make_unique<MpiExecution>(
      *choice.algorithm, call, choice.parameters, pieces, places_, has_channels,
      key.blocking ? workspace_ : std::make_shared<Workspace>());
  return plan;
}

const TypeShape& CommunicatorState::shape_of(MPI_Datatype type) {
  for (const KnownType& known : types_)
    if (known.type == type) return known.shape;
  KnownType& place = types_[next_type_ ^= 1];
  place.shape = TypeShape::of(type);
  // A program's own handle may mean another type tomorrow.
  place.type = place.shape.named ? type : MPI_DATATYPE_NULL;
  return place.shape;
}

const Reduction& CommunicatorState::reduction_of(MPI_Op op, MPI_Datatype type,
                                                 const TypeShape& shape, bool& commutes) {
  if (reduction_.op != op || reduction_.type != type) {
    reduction_.reduction = reduction_for(op, type, shape.dense);
    int answer = 0;
    PMPI_Op_commutative(op, &answer);
    reduction_.commutes = answer != 0;
    // There is a kernel for MPI's own operators and types only.
    const bool lasts = reduction_.reduction.kernel != nullptr;
    reduction_.op = lasts ? op : MPI_OP_NULL;
    reduction_.type = type;
  }
  commutes = reduction_.commutes;
  return reduction_.reduction;
}

}  // namespace tutti::core
