#include "api/choose.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <stdexcept>

#include "api/numbers.hpp"
#include "api/process/requests.hpp"
#include "api/process/settings.hpp"
#include "api/watch/table.hpp"
#include "model/profile.hpp"
#include "schedule/bytes.hpp"
#include "select/learning/store.hpp"
#include "select/predict.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

namespace {

/// From here on a ring's time is its bytes, and the largest block decides.
constexpr std::size_t long_allgatherv = 64 * 1024;

/// The algorithms that take turns, beside the MPI's own.
constexpr std::size_t most_algorithms = 4;
/// None whose predicted time is so many times the best.
constexpr double worth_a_turn = 3;
/// Comparing the results of more ranks takes too long.
constexpr int most_compared = 64;

/// The largest block dominates a ring.
bool is_lopsided(const Call& call) {
  return call.collective == Collective::allgatherv && *common_bytes(call) >= long_allgatherv &&
         call.evenness() == Evenness::uneven;
}

/// The problem as every rank knows it, for the parameters' defaults.
Problem common_problem(const Call& call) {
  const std::size_t bytes =
      common_bytes(call).value_or(static_cast<std::size_t>(call.p) * guessed_bytes);
  const std::size_t size = std::max<std::size_t>(1, call.element_bytes);
  Problem problem = Problem::even(call.collective, call.p, bytes / size);
  problem.element_bytes = size;
  problem.commutative = call.commutative;
  problem.root = call.root;
  problem.topology = call.topology;
  if (has_common_blocks(call.collective)) problem.counts = call.counts;
  return problem;
}

void warn_once(const std::string& message, Rank rank) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::scoped_lock lock(mutex);
  if (said.insert(message).second && rank == 0)
    std::fprintf(stderr, "tutti: %s: the model chooses\n", message.c_str());
}

/// What was asked for, if it can run.
const Request* asked_for(const Call& call, const Problem& problem, int number) {
  if (number == 0) return nullptr;
  const Request& request = request_of(number);
  if (request.algorithm == nullptr) return &request;
  const std::string unmet = request.algorithm->collective == call.collective
                                ? request.algorithm->unmet(problem, request.parameters)
                                : fmt::format("is no algorithm of {}", name_of(call.collective));
  if (unmet.empty()) return &request;
  const auto bytes = common_bytes(call);
  const std::string message = fmt::format(
      "{} was asked for in a call of {}{} on {} ranks, but it {}", request.algorithm->full_name(),
      name_of(call.collective), bytes ? fmt::format(" with {} bytes", *bytes) : "", call.p, unmet);
  if (settings().strict) throw std::runtime_error(message);
  warn_once(message, call.rank);
  return nullptr;
}

/// The profile's row for such calls, if what it says can run. Where no size is known alike, there
/// is one choice.
const DecisionRow* decided(const Call& call, const Problem& problem, const Profile& profile) {
  if (call.topology == nullptr) return nullptr;
  const DecisionRow* const row =
      profile.decisions.row(call.collective, *call.topology, call.evenness());
  if (row == nullptr) return nullptr;
  const Decision& choice = row->choice_for(common_bytes(call).value_or(0));
  if (is_learned(profile) && !choice.measured) return nullptr;
  const auto& request = choice.request;
  return !request || request->algorithm->unmet(problem, request->parameters).empty() ? row
                                                                                     : nullptr;
}

/// `profile, measured 31 us at 512, before ring 40`
std::string why_decided(const DecisionRow& row, std::size_t bytes) {
  const Ground ground = row.ground_for(bytes);
  const auto us = [](double seconds) { return short_number(seconds * 1e6); };
  std::string why = fmt::format("profile, {} {} us", ground.measured ? "measured" : "predicted",
                                us(ground.seconds));
  if (ground.at != nullptr && ground.at->bytes > 0)
    why += fmt::format(" at {}", format_bytes(ground.at->bytes));
  if (!ground.next.empty())
    why += fmt::format(", before {} {}", ground.next, us(ground.next_seconds));
  return why;
}

Rates rates_of(const Call& call, const Machine& machine) {
  return call.topology ? machine.rates_for(*call.topology) : machine.rates;
}

}  // namespace

Machine machine_of(const Profile& profile, int cores, Work work) {
  Machine machine = profile.machine();
  machine.rates.gamma = profile.gamma_of(work);
  if (machine.node.cores == 0) machine.node.cores = cores;
  return machine;
}

std::optional<std::size_t> common_bytes(const Call& call) {
  if (!has_common_size(call.collective)) return std::nullopt;
  return call.total() * call.element_bytes;
}

Choice choose(const Call& call, int number, const Profile& profile, int cores) {
  const Machine machine = machine_of(profile, cores, call.work);
  const Problem problem = common_problem(call);
  const Rates rates = rates_of(call, machine);
  if (const Request* request = asked_for(call, problem, number)) {
    if (request->algorithm == nullptr) return {nullptr, {}, "asked for", true};
    return {request->algorithm, request->algorithm->resolve(problem, rates, request->parameters),
            "asked for", true};
  }
  if (const DecisionRow* row = decided(call, problem, profile)) {
    const std::size_t bytes = common_bytes(call).value_or(0);
    const std::string why = why_decided(*row, bytes);
    const auto& request = row->choice_for(bytes).request;
    if (!request) return {nullptr, {}, why, true};
    return {request->algorithm, request->algorithm->resolve(problem, rates, request->parameters),
            why, true};
  }
  if (is_lopsided(call)) {
    const Algorithm* pipelined = parse_request("allgatherv/pipelined_ring").algorithm;
    return {pipelined, pipelined->resolve(problem, rates), "unequal blocks, the largest dominates"};
  }
  const std::vector<Prediction> predictions = predict(problem, machine);
  const Prediction& best = predictions.front();
  std::string why = fmt::format("model: predicted {} us", short_number(best.seconds * 1e6));
  if (const auto bytes = common_bytes(call); bytes && *bytes > 0)
    why += fmt::format(" at {}", format_bytes(*bytes));
  if (predictions.size() > 1 && predictions[1].valid())
    why += fmt::format(", before {} {}", predictions[1].algorithm->name,
                       short_number(predictions[1].seconds * 1e6));
  // Closed forms are for equal blocks, but the defaults see the call's.
  return {best.algorithm,
          is_estimated(call.topology.get(), machine) ? best.parameters
                                                     : best.algorithm->resolve(problem, rates),
          why};
}

LearningKey learning_key(const Call& call, Elements elements) {
  return {call.collective, size_class_of(common_bytes(call)), call.commutative, elements,
          call.evenness()};
}

Learning who_takes_turns(const Call& call, Elements elements, bool any, const Profile& profile,
                         int cores) {
  const Choice first = choose(call, 0, profile, cores);
  if (first.decided) return Learning(std::vector<Request>{});
  const Machine machine = machine_of(profile, cores, call.work);
  const Problem problem = common_problem(call);
  std::vector<Request> those{{first.algorithm, first.parameters}};
  const bool compares = elements != Elements::exact && !any;
  const bool swaps = call.commutative && elements == Elements::inexact;
  if (compares && call.p > most_compared) return Learning(std::move(those));
  const std::uint64_t digest =
      compares ? result_digest(problem, *first.algorithm, first.parameters, swaps) : 0;
  const std::vector<Prediction> predictions = predict(problem, machine);
  const double slowest = predictions.front().seconds * worth_a_turn;
  for (const Prediction& each : predictions) {
    if (those.size() == most_algorithms || !each.valid() || each.seconds > slowest) break;
    const Parameters parameters =
        is_estimated(call.topology.get(), machine)
            ? each.parameters
            : each.algorithm->resolve(problem, rates_of(call, machine), each.parameters);
    if (each.algorithm == first.algorithm) continue;
    if (compares && result_digest(problem, *each.algorithm, parameters, swaps) != digest) continue;
    those.push_back({each.algorithm, parameters});
  }
  if (!compares) those.push_back({nullptr, {}});
  const bool has_sizes = call.collective != Collective::barrier;
  Learning learning(std::move(those), has_sizes && !has_common_size(call.collective)
                                          ? Learner::tie_of_sizes
                                          : Learner::tie);
  learning.compares = compares;
  learning.swaps = swaps;
  return learning;
}

Choice choose_learning(const Call& call, const Learning& learning, std::size_t candidate,
                       const Profile& profile, int cores) {
  const Request& request = learning.candidates[candidate];
  if (request.algorithm == nullptr) return {nullptr, {}, learning.why(candidate)};
  const Machine machine = machine_of(profile, cores, call.work);
  const Problem problem = common_problem(call);
  const Rates rates = rates_of(call, machine);
  const auto resolved = [&](const Request& of) {
    return of.algorithm->resolve(problem, rates, of.parameters);
  };
  const auto can_run = [&](const Request& of) {
    return of.algorithm->unmet(problem, of.parameters).empty();
  };
  const Request& first = learning.candidates.front();
  if (!can_run(first)) return choose(call, 0, profile, cores);
  const bool same =
      candidate == 0 || !learning.compares ||
      (can_run(request) &&
       result_digest(problem, *request.algorithm, resolved(request), learning.swaps) ==
           result_digest(problem, *first.algorithm, resolved(first), learning.swaps));
  const Request& taken = same && can_run(request) ? request : first;
  return {taken.algorithm, resolved(taken), learning.why(candidate)};
}

}  // namespace tutti::core
