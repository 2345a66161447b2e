// Chooses for calls, lets them learn, and makes and keeps their plans.

#include "api/call/planning.hpp"

#include <algorithm>

#include "api/call/equipment.hpp"
#include "api/call/learned_alike.hpp"
#include "api/call/operation.hpp"
#include "api/machine/learned_store.hpp"
#include "api/process/native.hpp"
#include "api/process/requests.hpp"
#include "api/process/settings.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

/// Turns, and finding out who takes them, take as long as many calls: they begin after so many
/// times the calls that the MPI did first, and not before so many calls of any size.
constexpr std::size_t turns_after = 16, fewest_before_turns = 16;

std::size_t calls_before_turns(const LearningKey& key, int p) {
  const std::size_t young = settings().young;
  if (young == 0) return 0;
  return std::max(fewest_before_turns,
                  Young::calls(young * turns_after, key.collective, key.size_class, p));
}

constexpr std::int64_t hour = 3'600'000'000'000;  // in nanoseconds

/// No rank has its result before all have come, whatever blocks there are.
bool waits_for_all(Collective collective) {
  switch (collective) {
    case Collective::barrier:
    case Collective::allgather:
    case Collective::allreduce:
    case Collective::reduce_scatter_block:
    case Collective::alltoall: return true;
    default: return false;
  }
}

}  // namespace

Planning::Learns Planning::learning_of(const Operation& operation) {
  const Call& call = operation.call;
  if (settings().learn == Settings::Learn::off || call.p == 1 || common_bytes(call) == 0) return {};
  const Elements elements = !operation.combines() || operation.reduction.exact ? Elements::exact
                            : operation.reduction.kernel != nullptr            ? Elements::inexact
                                                                               : Elements::program;
  const LearningKey key = learning_key(call, elements);
  Class& mine = classes_[key];
  if (mine.learning == nullptr) {
    // What a table decides needs no turns: whoever has one need not wait to see that.
    const bool may_be_decided = !profile().decisions.rows().empty();
    const std::size_t number = mine.calls++;
    const bool waits = !may_be_decided && number < calls_before_turns(key, call.p);
    if (!waits) {
      mine.learning = std::make_unique<Learning>(
          who_takes_turns(call, elements, settings().learn == Settings::Learn::any, profile(),
                          equipment_.site().cores, choices()));
      mine.learning->collective = key.collective;
    }
    // Others may know already, when a class begins, or may have found out since.
    if (waits ? number == 0 : mine.learning->candidates.size() > 1)
      if (auto known = learned_alike::ask(equipment_, key)) mine.learning = std::move(known);
    if (mine.learning == nullptr) return {nullptr, true};
  }
  return {mine.learning->candidates.size() > 1 ? mine.learning.get() : nullptr, false};
}

int Planning::end_turn(Learning& learning, std::int64_t begin, std::int64_t end, bool failed) {
  // The ranks of one node have one clock. Those of several begin at zero: the longest time counts;
  // or end at zero, where nobody can end before the last one has come: the shortest does, of whom
  // least was waiting. A call that fails may end at once: it was not short.
  const Site& site = equipment_.site();
  if (failed) begin = end - hour;
  const std::int64_t zero = site.here.size() == site.topology->p() ? 0
                            : waits_for_all(learning.collective)   ? end
                                                                   : begin;
  constexpr double nanosecond = 1e-9;
  if (!learning.learner.note(static_cast<double>(begin - zero) * nanosecond,
                             static_cast<double>(end - zero) * nanosecond))
    return MPI_SUCCESS;
  const std::span<const double> lap = learning.learner.lap();
  std::vector<double> latest(lap.begin(), lap.end());
  const double before = PMPI_Wtime();
  const int error = wait_for([&](MPI_Request* request) {
    return native().iallreduce(MPI_IN_PLACE, latest.data(), static_cast<int>(latest.size()),
                               MPI_DOUBLE, MPI_MAX, equipment_.comm(), request);
  });
  learning.learner.agree(latest);
  learning.learner.note_agreement(PMPI_Wtime() - before);
  plans_.forget_who_is_out(learning);
  if (learning.learner.settled()) remember(learning);
  return error;
}

/// For communicators whose ranks live alike; and what was learned for any operator may serve the
/// next run.
void Planning::remember(const Learning& learning) const {
  const LearningKey& key = std::find_if(classes_.begin(), classes_.end(), [&](const auto& each) {
                             return each.second.learning.get() == &learning;
                           })->first;
  learned_alike::note(equipment_, key, learning);
  if (settings().learn != Settings::Learn::keep || !key.commutative ||
      key.elements == Elements::program)
    return;
  const std::size_t best = learning.learner.next();
  const Request& request = learning.candidates[best];
  store_learned({key.collective, equipment_.site().topology, key.size_class,
                 request.algorithm != nullptr ? std::optional(request) : std::nullopt,
                 learning.learner.seconds(best), key.blocks, key.elements == Elements::inexact});
}

void Planning::find_plan(const Call& call, int request, bool blocking, const Learning* learning,
                         Plan*& plan, std::unique_ptr<Plan>& own) {
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

const Profile& Planning::profile() const {
  return equipment_.knowledge() ? equipment_.knowledge()->profile : default_profile();
}

KeptChoices* Planning::choices() const {
  return equipment_.knowledge() ? equipment_.knowledge()->choices.get() : nullptr;
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

Choice Planning::choice_for(const PlanKey& key) {
  const Call& call = key.call;
  if (key.learning != nullptr)
    return choose_learning(call, *key.learning, key.candidate, profile(), equipment_.site().cores,
                           choices());
  return choose(known_of(call), asked_for(key.request, call), profile(), equipment_.site().cores,
                choices());
}

std::unique_ptr<Plan> Planning::make_plan(const PlanKey& key) {
  const Call& call = key.call;
  const Choice choice = choice_for(key);
  auto plan = std::make_unique<Plan>();
  plan->key = key;
  plan->noter = noter_for(key, choice);
  if (choice.algorithm == nullptr) return plan;
  Channels* const near = key.blocking ? equipment_.site().channels() : nullptr;
  // The board holds no larger element.
  const bool has_channels = near != nullptr && (near->neighbours().attaches() ||
                                                call.element_bytes <= Board::most_of_message);
  Cutting cutting = settings().cutting;
  if (!settings().cutting_given && profile().piece > 0) cutting.bytes = profile().piece;
  plan->execution = std::make_unique<MpiExecution>(
      *choice.algorithm, call, choice.parameters, cutting, equipment_.site().here, has_channels,
      key.blocking ? workspace_ : std::make_shared<Workspace>());
  return plan;
}

}  // namespace tutti::core
