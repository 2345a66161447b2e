#include "api/choose.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>
#include <stdexcept>

#include "api/requests.hpp"
#include "api/settings.hpp"
#include "model/profile.hpp"
#include "select/predict.hpp"

namespace tutti {

namespace {

/// From here on a ring's time is its bytes, and the largest block decides.
constexpr std::size_t long_allgatherv = 64 * 1024;

/// Blocks so unequal that the largest dominates a ring.
bool is_lopsided(const Call& call) {
  std::size_t most = 0, total = 0;
  for (const std::size_t count : call.counts) most = std::max(most, count), total += count;
  return most * call.counts.size() > 2 * total;
}

/// The problem as every rank knows it, for the parameters' defaults.
Problem common_problem(const Call& call, std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(1, call.element_bytes);
  Problem problem = Problem::even(call.collective, call.p, bytes / size);
  problem.element_bytes = size;
  problem.commutative = call.commutative;
  problem.root = call.root;
  problem.topology = call.topology;
  if (call.collective == Collective::allgatherv || call.collective == Collective::reduce_scatter)
    problem.counts = call.counts;
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

}  // namespace

std::optional<std::size_t> common_bytes(const Call& call) {
  if (!has_common_size(call.collective)) return std::nullopt;
  return call.total() * call.element_bytes;
}

Choice choose(const Call& call, int number, int cores) {
  static const Machine known = default_profile().machine();
  Machine machine = known;
  if (machine.node.cores == 0) machine.node.cores = cores;
  const std::size_t bytes =
      common_bytes(call).value_or(static_cast<std::size_t>(call.p) * guessed_bytes);
  const Problem problem = common_problem(call, bytes);
  const Rates rates = call.topology ? machine.rates_for(*call.topology) : machine.rates;
  if (const Request* request = asked_for(call, problem, number))
    return {request->algorithm, request->algorithm->resolve(problem, rates, request->parameters),
            "asked for"};
  if (call.collective == Collective::allgatherv && bytes >= long_allgatherv && is_lopsided(call)) {
    const Algorithm* pipelined = parse_request("allgatherv/pipelined_ring").algorithm;
    return {pipelined, pipelined->resolve(problem, rates), "unequal blocks, the largest dominates"};
  }
  const std::vector<Prediction> predictions = predict(problem, machine);
  const Prediction& best = predictions.front();
  std::string why = "least predicted time";
  if (predictions.size() > 1 && predictions[1].valid())
    why += fmt::format(", before {}", predictions[1].algorithm->name);
  // Closed forms are for equal blocks, but the defaults see the call's.
  return {
      best.algorithm,
      has_levels(call.topology.get()) ? best.parameters : best.algorithm->resolve(problem, rates),
      why};
}

}  // namespace tutti
