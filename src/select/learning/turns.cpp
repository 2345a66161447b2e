// Who takes turns while a program learns, and which of them a call runs.

#include "select/learning/turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <locale>
#include <sstream>

#include "schedule/bytes.hpp"
#include "select/numbers.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

namespace {

/// The algorithms that take turns, beside the MPI's own.
constexpr std::size_t most_algorithms = 4;
/// None whose predicted time is so many times the best.
constexpr double worth_a_turn = 3;
/// Comparing the results of more ranks takes too long.
constexpr int most_compared = 64;
/// Of so few ranks algorithms are often the same under several names.
constexpr int most_of_same_schedules = 8;

/// For which operators only those may take turns who give one result, to the last bit.
bool must_compare(Elements elements, bool any) { return elements != Elements::exact && !any; }
bool may_swap(bool commutative, Elements elements) {
  return commutative && elements == Elements::inexact;
}

}  // namespace

std::string Learning::why(std::size_t candidate) const {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i != candidate) others.push_back(i);
  const auto name = [&](std::size_t i) {
    return candidates[i].algorithm != nullptr ? candidates[i].algorithm->name : "native";
  };
  std::vector<std::string> texts;
  if (!learner.settled()) {
    for (const std::size_t each : others) texts.emplace_back(name(each));
    return fmt::format("learning: takes turns with {}", fmt::join(texts, ", "));
  }
  std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
    return learner.seconds(a) < learner.seconds(b);
  });
  std::vector<std::string> like;
  for (const std::size_t each : others)
    (learner.is_like_best(each) ? like : texts)
        .push_back(fmt::format("{} {}", name(each), short_number(learner.seconds(each) * 1e6)));
  return fmt::format("learned: {} us{}{}{}{}", short_number(learner.seconds(candidate) * 1e6),
                     like.empty() ? "" : ", no other than ", fmt::join(like, ", "),
                     texts.empty()  ? ""
                     : like.empty() ? " before "
                                    : ", before ",
                     fmt::join(texts, ", "));
}

LearningKey learning_key(const Call& call, Elements elements) {
  return {call.collective, size_class_of(common_bytes(call)), call.commutative, elements,
          call.evenness()};
}

Learning who_takes_turns(const Call& call, Elements elements, bool any, const Profile& profile,
                         int cores, KeptChoices* kept) {
  const Known known = known_of(call);
  const Choice first = choose(known, nullptr, profile, cores, kept);
  if (first.is_decided()) return Learning(std::vector<Request>{});
  const Problem& problem = known.problem;
  const Machine machine = profile.machine_for(call.topology.get(), cores, call.work);
  std::vector<Request> those{{first.algorithm, first.parameters}};
  const bool compares = must_compare(elements, any);
  const bool swaps = may_swap(call.commutative, elements);
  if (compares && call.p > most_compared) return Learning(std::move(those));
  const std::uint64_t digest =
      compares ? result_digest(problem, *first.algorithm, first.parameters, swaps) : 0;
  std::vector<std::vector<Schedule>> seen;
  const auto is_new = [&](const Algorithm& algorithm, const Parameters& parameters) {
    if (call.p > most_of_same_schedules) return true;
    std::vector<Schedule> schedules = schedules_of(problem, algorithm, parameters);
    if (std::find(seen.begin(), seen.end(), schedules) != seen.end()) return false;
    seen.push_back(std::move(schedules));
    return true;
  };
  is_new(*first.algorithm, first.parameters);
  const double slowest = first.predictions.front().seconds * worth_a_turn;
  for (const Prediction& each : first.predictions) {
    if (those.size() == most_algorithms || !each.valid() || each.seconds > slowest) break;
    if (each.algorithm == first.algorithm) continue;
    const Parameters parameters = parameters_of(each, problem, machine);
    if (!is_new(*each.algorithm, parameters)) continue;
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

std::string format_learned(const Learning& learning) {
  const Learner::Outcome outcome = learning.learner.outcome();
  std::string text = fmt::format("{}\n", outcome.best);
  for (std::size_t i = 0; i < learning.candidates.size(); ++i) {
    const auto& [algorithm, parameters] = learning.candidates[i];
    text += fmt::format("{} {} {}\n", outcome.seconds[i], outcome.like_best[i] ? 1 : 0,
                        algorithm != nullptr ? format_request(*algorithm, parameters) : "native");
  }
  return text;
}

Learning parse_learned(const std::string& text, const LearningKey& key, bool any) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());  // the program may have another
  Learner::Outcome outcome;
  std::vector<Request> candidates;
  in >> outcome.best;
  double seconds = 0;
  bool like_best = false;
  for (std::string request; in >> seconds >> like_best >> request;) {
    candidates.push_back(request == "native" ? Request{} : parse_request(request));
    outcome.seconds.push_back(seconds);
    outcome.like_best.push_back(like_best);
  }
  Learning learning(std::move(candidates), outcome);
  learning.collective = key.collective;
  learning.compares = must_compare(key.elements, any);
  learning.swaps = may_swap(key.commutative, key.elements);
  return learning;
}

Choice choose_learning(const Call& call, const Learning& learning, std::size_t candidate,
                       const Profile& profile, int cores, KeptChoices* kept) {
  const Request& request = learning.candidates[candidate];
  Choice choice{.by = Choice::By::learning};
  if (request.algorithm == nullptr) return choice;
  const Known known = known_of(call);
  const Problem& problem = known.problem;
  const Topology* const topology = call.topology.get();
  const Rates rates = profile.machine_for(topology, cores, call.work).rates_for(topology);
  const auto resolved = [&](const Request& of) {
    return of.algorithm->resolve(problem, rates, of.parameters);
  };
  const auto can_run = [&](const Request& of) {
    return of.algorithm->unmet(problem, of.parameters).empty();
  };
  const Request& first = learning.candidates.front();
  if (!can_run(first)) return choose(known, nullptr, profile, cores, kept);
  const bool same =
      candidate == 0 || !learning.compares ||
      (can_run(request) &&
       result_digest(problem, *request.algorithm, resolved(request), learning.swaps) ==
           result_digest(problem, *first.algorithm, resolved(first), learning.swaps));
  const Request& taken = same && can_run(request) ? request : first;
  choice.algorithm = taken.algorithm;
  choice.parameters = resolved(taken);
  return choice;
}

}  // namespace tutti::core
