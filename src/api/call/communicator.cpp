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
  made.numbers_.last_tag = last_tag();
  if (made.p_ > 1) made.private_ = make_private(comm, made.unusable_);
  if (made.private_ != MPI_COMM_NULL) {
    made.knowledge_ = share_knowledge(made.private_);
    Node node = node_of(made.private_, made.p_, made.rank_);
    Site& site = made.site_;
    site.topology = topology_of(made.private_, node.places, made.rank_);
    site.cores = fewest_cores(made.private_, node);
    site.memory = NodeMemory::share(made.private_, node, made.rank_, site.transport);
    site.places = std::move(node.places);
    made.knowledge_ = first_guess(made, made.knowledge_);
  }
  if (made.unusable_ == nullptr) made.numbers_.trace_id = trace_id(made.private_);
  if (made.unusable_ != nullptr) made.site_.transport.why = made.unusable_;
  if (made.p_ == 1) made.site_.transport.why = "no two ranks share a node";
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
        call, elements, settings().learn == Settings::Learn::any, profile(), site_.cores));
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
  plans_.forget_who_is_out(learning);
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
  store_learned({key.collective, site_.topology, key.size_class,
                 request.algorithm != nullptr ? std::optional(request) : std::nullopt,
                 learning.learner.seconds(best), key.blocks, key.elements == Elements::inexact});
}

void CommunicatorState::find_plan(const Call& call, int request, bool blocking,
                                  const Learning* learning, Plan*& plan,
                                  std::unique_ptr<Plan>& own) {
  const std::size_t turn = learning != nullptr ? learning->learner.next() : 0;
  const std::uint64_t fingerprint = PlanKey::fingerprint(call, request, blocking, learning, turn);
  plan = plans_.find(fingerprint, call, request, blocking, learning, turn);
  if (plan != nullptr) return plans_.use(*plan);
  if (own != nullptr && own->key.is_for(call, request, blocking, learning, turn)) {
    plan = own.get();
    return;
  }
  std::unique_ptr<Plan> made = make_plan({call, request, blocking, learning, turn});
  plan = made.get();
  plans_.use(*plan);
  if (auto left = plans_.keep(fingerprint, std::move(made))) own = std::move(left);
}

const Profile& CommunicatorState::profile() const {
  return knowledge_ ? knowledge_->profile : default_profile();
}

namespace {

/// Where calls of a plan are noted.
std::unique_ptr<Noter> noter_for(const PlanKey& key, const Choice& choice) {
  const Call& call = key.call;
  const std::string reason =
      choice.by == Choice::By::learning ? key.learning->why(key.candidate) : why(choice);
  const int size_class = size_class_of(common_bytes(call));
  const std::string_view collective = name_of(call.collective);
  if (choice.algorithm == nullptr)
    return std::make_unique<Noter>(
        explain_row(collective, size_class, call.p, "native", "", reason));
  const std::string text = format_request(*choice.algorithm, choice.parameters);
  const std::size_t colon = text.find(':');
  return std::make_unique<Noter>(
      explain_row(collective, size_class, call.p, choice.algorithm->name,
                  colon == std::string::npos ? "" : text.substr(colon + 1), reason));
}

}  // namespace

Choice CommunicatorState::choice_for(const PlanKey& key) {
  const Call& call = key.call;
  if (key.learning != nullptr)
    return choose_learning(call, *key.learning, key.candidate, profile(), site_.cores);
  return choose(known_of(call), asked_for(key.request, call), profile(), site_.cores, &shared_);
}

std::unique_ptr<Plan> CommunicatorState::make_plan(const PlanKey& key) {
  const Call& call = key.call;
  const Choice choice = choice_for(key);
  auto plan = std::make_unique<Plan>();
  plan->key = key;
  plan->noter = noter_for(key, choice);
  if (choice.algorithm == nullptr) return plan;
  Channels* const near = key.blocking ? site_.channels() : nullptr;
  // The board holds no larger element.
  const bool has_channels = near != nullptr && (near->neighbours().attaches() ||
                                                call.element_bytes <= Board::most_of_message);
  Cutting cutting = settings().cutting;
  if (!settings().cutting_given && profile().piece > 0) cutting.bytes = profile().piece;
  plan->execution = std::make_unique<MpiExecution>(
      *choice.algorithm, call, choice.parameters, cutting, site_.places, has_channels,
      key.blocking ? workspace_ : std::make_shared<Workspace>());
  return plan;
}

}  // namespace tutti::core
