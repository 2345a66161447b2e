// The one choice: what was asked for by name, else what the profile's table says, else the model.

#include "select/choose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/bytes.hpp"
#include "select/learning/store.hpp"
#include "select/numbers.hpp"

namespace tutti::core {

namespace {

std::string microseconds(double seconds) { return short_number(seconds * 1e6); }

/// What the profile's table says for such calls, if it can run. Where no size is known alike, there
/// is one choice.
std::optional<Choice> by_table(const Known& known, const Profile& profile, const Rates& rates,
                               Choice& otherwise) {
  const Problem& problem = known.problem;
  if (problem.topology == nullptr) return std::nullopt;
  const DecisionRow* const row =
      profile.decisions.row(problem.collective, *problem.topology, known.blocks);
  if (row == nullptr) return std::nullopt;
  const Decision& decision = row->choice_for(known.bytes.value_or(0));
  // What stands between what was learned decides nothing.
  if (is_learned(profile) && !decision.measured) return std::nullopt;
  Choice choice{.by = Choice::By::profile, .bytes = known.bytes, .row = row};
  if (!decision.request) return choice;
  const auto& [algorithm, given] = *decision.request;
  if (std::string unmet = algorithm->unmet(problem, given); !unmet.empty()) {
    otherwise.refused = algorithm;
    otherwise.unmet = std::move(unmet);
    return std::nullopt;
  }
  choice.algorithm = algorithm;
  choice.parameters = algorithm->resolve(problem, rates, given);
  return choice;
}

std::string why_decided(const Choice& choice) {
  const Ground ground = choice.ground();
  std::string text = fmt::format("profile, {} {} us", ground.measured ? "measured" : "predicted",
                                 microseconds(ground.seconds));
  if (ground.at != nullptr && ground.at->bytes > 0)
    text += fmt::format(" at {}", format_bytes(ground.at->bytes));
  if (!ground.next.empty())
    text += fmt::format(", before {} {}", ground.next, microseconds(ground.next_seconds));
  return text;
}

std::string why_predicted(const Choice& choice) {
  const std::vector<Prediction>& all = choice.predictions;
  std::string text = fmt::format("model: predicted {} us", microseconds(all.front().seconds));
  if (choice.bytes && *choice.bytes > 0) text += fmt::format(" at {}", format_bytes(*choice.bytes));
  if (all.size() > 1 && all[1].valid())
    text += fmt::format(", before {} {}", all[1].algorithm->name, microseconds(all[1].seconds));
  return text;
}

}  // namespace

std::optional<std::size_t> common_bytes(const Call& call) {
  if (!has_common_size(call.collective)) return std::nullopt;
  return call.total() * call.element_bytes;
}

Known known_of(const Call& call) {
  Known known{
      .problem = {}, .bytes = common_bytes(call), .blocks = call.evenness(), .work = call.work};
  const std::size_t bytes = known.bytes.value_or(static_cast<std::size_t>(call.p) * guessed_bytes);
  const std::size_t size = std::max<std::size_t>(1, call.element_bytes);
  Problem& problem = known.problem;
  problem = Problem::even(call.collective, call.p, bytes / size);
  problem.element_bytes = size;
  problem.commutative = call.commutative;
  problem.root = call.root;
  problem.topology = call.topology;
  if (has_common_blocks(call.collective)) problem.counts = call.counts;
  return known;
}

Choice choose(const Known& known, const Request* asked, const Profile& profile, int cores) {
  const Problem& problem = known.problem;
  const Topology* const topology = problem.topology.get();
  const Machine machine = profile.machine_for(topology, cores, known.work);
  const Rates rates = machine.rates_for(topology);
  Choice choice{.bytes = known.bytes};
  if (asked != nullptr) {
    choice.by = Choice::By::name;
    choice.algorithm = asked->algorithm;
    if (asked->algorithm != nullptr)
      choice.parameters = asked->algorithm->resolve(problem, rates, asked->parameters);
    return choice;
  }
  if (auto decided = by_table(known, profile, rates, choice)) return *std::move(decided);
  choice.predictions = predict(problem, machine, known.n);
  const Prediction& best = choice.predictions.front();
  choice.algorithm = best.algorithm;
  // Closed forms are for equal blocks, but the defaults see the call's.
  choice.parameters =
      is_estimated(topology, machine) ? best.parameters : best.algorithm->resolve(problem, rates);
  return choice;
}

std::string why(const Choice& choice) {
  switch (choice.by) {
    case Choice::By::name: return "asked for";
    case Choice::By::profile: return why_decided(choice);
    case Choice::By::model: return why_predicted(choice);
    case Choice::By::learning: break;
  }
  return "learned";
}

std::string refusal(const Known& known, const Request& asked) {
  const Problem& problem = known.problem;
  if (asked.algorithm == nullptr) return "";
  const std::string unmet = asked.algorithm->collective == problem.collective
                                ? asked.algorithm->unmet(problem, asked.parameters)
                                : fmt::format("is no algorithm of {}", name_of(problem.collective));
  if (unmet.empty()) return "";
  return fmt::format("{} was asked for in a call of {}{} on {} ranks, but it {}",
                     asked.algorithm->full_name(), name_of(problem.collective),
                     known.bytes ? fmt::format(" with {} bytes", *known.bytes) : "", problem.p,
                     unmet);
}

}  // namespace tutti::core
