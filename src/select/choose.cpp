// The one choice: what was asked for by name, else what the profile's table says, else the model.

#include "select/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "schedule/bytes.hpp"
#include "select/kept_choices.hpp"
#include "select/learning/store.hpp"
#include "select/numbers.hpp"

namespace tutti::core {

namespace {

std::string microseconds(double seconds) { return short_number(seconds * 1e6); }

/// The row of the profile's table that says something for such calls; null: none does. Where no
/// size is known alike, there is one choice.
const DecisionRow* deciding_row(const Profile& profile, Collective collective,
                                const Topology* topology, Evenness blocks,
                                std::optional<std::size_t> bytes) {
  if (topology == nullptr) return nullptr;
  const DecisionRow* const row = profile.decisions.row(collective, *topology, blocks);
  // What stands between what was learned decides nothing.
  const bool counts =
      row != nullptr && (!is_learned(profile) || row->choice_for(bytes.value_or(0)).measured);
  return counts ? row : nullptr;
}

/// What the profile's table says for such calls, if it can run.
std::optional<Choice> by_table(const Known& known, const Profile& profile, const Rates& rates,
                               Choice& otherwise) {
  const Problem& problem = known.problem;
  const DecisionRow* const row =
      deciding_row(profile, problem.collective, problem.topology.get(), known.blocks, known.bytes);
  if (row == nullptr) return std::nullopt;
  const Decision& decision = row->choice_for(known.bytes.value_or(0));
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

/// Above so many ranks an answer of the model's takes too long to ask for each size.
constexpr int most_asked_exactly = 64;

/// What the model takes.
Choice by_model(const Known& known, const Machine& machine) {
  Choice choice{.bytes = known.bytes,
                .predictions = predict(known.problem, machine, known.bytes, care_of_programs)};
  const Prediction& best = choice.predictions.front();
  choice.algorithm = best.algorithm;
  choice.parameters = parameters_of(best, known.problem, machine);
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
  Problem problem{.collective = call.collective,
                  .p = call.p,
                  .root = call.root,
                  .count = call.element_bytes > 0 ? call.count : 0,
                  .commutative = call.commutative,
                  .element_bytes = std::max<std::size_t>(1, call.element_bytes),
                  .topology = call.topology};
  if (has_common_blocks(call.collective)) {
    problem.count = 0;  // of this rank alone
    problem.counts = call.counts;
  }
  Known known = known_of(std::move(problem));
  known.work = call.work;
  return known;
}

Known known_of(Problem problem, std::optional<std::size_t> bytes) {
  Known known{.problem = {}, .work = usual_work(problem.commutative)};
  if (has_common_size(problem.collective)) {
    known.bytes = bytes.value_or(problem.total() * problem.element_bytes);
    known.blocks = problem.call(0).evenness();
    known.problem = std::move(problem);
    return known;
  }
  known.problem =
      even_problem(problem.collective, problem.p, guessed_bytes(problem.collective, problem.p),
                   problem.commutative, problem.root);
  known.problem.topology = std::move(problem.topology);
  return known;
}

Work usual_work(bool commutative) { return commutative ? Work::sum_double : Work::user; }

namespace {

/// So few sizes are asked for; none is larger by a fourth.
Known rounded_up(Known known) {
  if (!known.bytes || !known.problem.counts.empty()) return known;
  std::size_t& count = known.problem.count;
  const std::size_t step = std::bit_floor(count) / 4;
  if (step > 1) count = (count + step - 1) / step * step;
  known.bytes = known.problem.total() * known.problem.element_bytes;
  return known;
}

}  // namespace

Known stand_in(const Known& known, const Machine& machine) {
  const Problem& call = known.problem;
  const Topology* const topology = call.topology.get();
  const bool is_one_of_many = has_levels(topology) && call.p > most_asked_exactly;
  if (!is_one_of_many && !follows_links(topology, machine))
    return is_estimated(topology, machine) ? rounded_up(known) : known;
  Known all = known;
  if (known.bytes > 0) all.bytes = std::bit_ceil(*known.bytes);
  all.problem =
      even_problem(call.collective, call.p,
                   all.bytes.value_or(guessed_bytes(call.collective, call.p)), call.commutative);
  all.problem.topology = call.topology;
  if (known.blocks == Evenness::uneven) {
    // Between blocks that are just uneven and one that has all.
    const std::size_t size = all.problem.element_bytes;
    const std::size_t elements = (*all.bytes + size - 1) / size, others = elements / 4;
    all.problem.counts = Problem::even(call.collective, call.p, others).counts;
    all.problem.counts[0] += elements - others;
  }
  return all;
}

Parameters parameters_of(const Prediction& prediction, const Problem& problem,
                         const Machine& machine) {
  const Topology* const topology = problem.topology.get();
  // Closed forms are for equal blocks, but the defaults see the call's.
  return is_estimated(topology, machine)
             ? prediction.parameters
             : prediction.algorithm->resolve(problem, machine.rates_for(topology));
}

bool is_decided(const Call& call, const Topology& topology, const Profile& profile) {
  return !profile.decisions.rows().empty() &&
         deciding_row(profile, call.collective, &topology, call.evenness(), common_bytes(call)) !=
             nullptr;
}

Choice choose(const Known& known, const Request* asked, const Profile& profile, int cores,
              KeptChoices* kept) {
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
  const Known all = stand_in(known, machine);
  const auto make = [&] { return by_model(all, machine); };
  const bool takes_long = is_estimated(topology, machine);  // closed forms do not
  Choice taken = kept != nullptr && takes_long ? kept->find_or_make(all, cores, make) : make();
  taken.refused = choice.refused;
  taken.unmet = std::move(choice.unmet);
  return taken;
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
