#include "api/call.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>

#include "api/settings.hpp"
#include "model/profile.hpp"
#include "select/predict.hpp"

namespace tutti {

namespace {

std::atomic<unsigned> epoch{0};

/// Calls by algorithm. A plan's counter is found once, when it is made.
class Counters {
 public:
  std::atomic<unsigned long long>& of(Collective collective, std::string_view algorithm) {
    const std::scoped_lock lock(mutex_);
    return counters_[{collective, std::string(algorithm)}];
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<Collective, std::string>, std::atomic<unsigned long long>> counters_;
};

Counters& counters() {
  static Counters all;
  return all;
}

const Rates& rates() {
  static const Rates value = default_profile().rates;
  return value;
}

/// What every rank knows of the problem's size: all bytes where MPI demands that they be equal
/// everywhere, else a guess that is the same on all ranks.
std::size_t common_bytes(const Call& call, const Elements& elements) {
  switch (call.collective) {
    case Collective::scatterv:
    case Collective::gatherv:
    case Collective::alltoallv:
    case Collective::alltoallw: return static_cast<std::size_t>(call.p) * 1024;
    default: return call.total() * elements.size;
  }
}

/// Blocks so unequal that the largest dominates a ring.
bool is_lopsided(const Call& call) {
  std::size_t most = 0, total = 0;
  for (const std::size_t count : call.counts) most = std::max(most, count), total += count;
  return most * call.counts.size() > 2 * total;
}

struct Choice {
  const Algorithm* algorithm = nullptr;
  Parameters given;
  std::string why;
};

Choice choose(const Call& call, const Elements& elements) {
  const Settings::Forced& forced = settings().forced[static_cast<int>(call.collective)];
  if (forced.request.algorithm != nullptr) {
    const std::string unmet = forced.request.algorithm->valid.unmet(call.p, call.commutative);
    if (unmet.empty()) return {forced.request.algorithm, forced.request.parameters, "forced"};
    const std::string message = fmt::format("{} was forced for a call on {} ranks, but it {}",
                                            forced.request.algorithm->full_name(), call.p, unmet);
    if (settings().strict) throw std::runtime_error(message);
    static std::once_flag once;
    std::call_once(
        once, [&] { std::fprintf(stderr, "tutti: %s: the model chooses\n", message.c_str()); });
  }
  const std::size_t bytes = common_bytes(call, elements);
  if (call.collective == Collective::allgatherv && bytes >= 65536 && is_lopsided(call))
    return {parse_request("allgatherv/pipelined_ring").algorithm, {}, "unequal blocks"};
  const auto predictions =
      predict(call.collective, call.p, static_cast<double>(bytes), rates(), call.commutative);
  const Prediction* best = nullptr;
  for (const Prediction& each : predictions)
    if (each.unmet.empty() && (best == nullptr || each.seconds < best->seconds)) best = &each;
  return {best->algorithm, {}, "least predicted time"};
}

/// The problem as far as a rank knows it, for the parameters' defaults: those must be the same
/// everywhere.
Problem common_problem(const Call& call, const Elements& elements) {
  Problem problem =
      Problem::even(call.collective, call.p,
                    common_bytes(call, elements) / std::max<std::size_t>(1, elements.size));
  problem.element_bytes = elements.size;
  problem.commutative = call.commutative;
  if (call.collective == Collective::allgatherv || call.collective == Collective::reduce_scatter)
    problem.counts = call.counts;
  return problem;
}

}  // namespace

int run(CommunicatorState& state, MPI_Comm comm, const Call& call, const Elements& elements,
        const Binding& binding) {
  const PlanKey key{call, elements, epoch.load(std::memory_order_relaxed)};
  Plan* plan = state.find(key);
  Plan once;
  int error = MPI_SUCCESS;
  if (plan == nullptr) {
    try {
      const Choice choice = choose(call, elements);
      const Parameters parameters =
          choice.algorithm->resolve(common_problem(call, elements), rates(), choice.given);
      Call generated = call;
      generated.element_bytes = elements.size;
      once = {key, choice.algorithm, choice.why,
              std::make_unique<MpiExecution>(*choice.algorithm, generated, parameters, elements,
                                             settings().pieces)};
      once.counter = &counters().of(call.collective, choice.algorithm->name);
    } catch (const std::exception& failed) {
      std::fprintf(stderr, "tutti: %s\n", failed.what());
      return PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER), MPI_ERR_OTHER;
    }
    plan = once.execution->learns() ? &once : state.keep(std::move(once));
  }
  plan->counter->fetch_add(1, std::memory_order_relaxed);
  Binding bound = binding;
  bound.comm = state.comm();
  bound.tag = state.next_tag();
  error = plan->execution->start(bound);
  if (!error) error = plan->execution->wait();
  if (error) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

bool is_off(Collective collective) {
  return settings().forced[static_cast<int>(collective)].native;
}

void count_native(Collective collective) {
  counters().of(collective, "native").fetch_add(1, std::memory_order_relaxed);
}

unsigned long long calls_of(Collective collective, std::string_view algorithm) {
  return counters().of(collective, algorithm).load(std::memory_order_relaxed);
}

void force(Collective collective, std::string_view text) {
  settings().forced[static_cast<int>(collective)] = Settings::parse(collective, text);
  ++epoch;
}

}  // namespace tutti
