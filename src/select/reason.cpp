// Why the fastest is the fastest, in one sentence.

#include "select/reason.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/estimate.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

bool is_most(double a, double b) { return a <= b * (1 + 1e-9); }

/// A candidate's time, cut in two.
struct Parts {
  const Prediction* prediction = nullptr;
  double latency = 0, bytes = 0;
};

Size size_of(const Prediction& prediction, const Problem& problem, double n) {
  return {problem.p, n, problem.root, problem.commutative, prediction.parameters};
}

/// `12 % more`, `3.4 times as long`
std::string longer(double factor) {
  return factor < 2 ? fmt::format("{:.{}f} % more", (factor - 1) * 100, factor < 1.1 ? 1 : 0)
                    : fmt::format("{:.1f} times as long", factor);
}

}  // namespace

double latency_of(const Prediction& prediction, const Problem& problem, double n,
                  const Machine& machine, Care care) {
  Machine free = machine;
  for (Step& step : free.steps) step.beta = step.beta_uni = 0;
  free.rates.beta = free.rates.beta_uni = free.rates.gamma = free.node.byte = 0;
  if (is_estimated(problem.topology.get(), machine))
    return estimate(problem, *prediction.algorithm, prediction.parameters, free, care);
  return prediction.algorithm->seconds(size_of(prediction, problem, n), free.rates);
}

std::string reason(const std::vector<Prediction>& predictions, const Problem& problem,
                   std::size_t n, const Machine& machine, std::optional<double> bound, Care care) {
  const auto bytes = static_cast<double>(n);
  std::vector<Parts> parts;
  for (const Prediction& each : predictions) {
    if (!each.valid()) continue;
    const double latency = latency_of(each, problem, bytes, machine, care);
    parts.push_back({&each, latency, std::max(0.0, each.seconds - latency)});
  }
  const Parts& best = parts.front();
  const double seconds = best.prediction->seconds;
  if (!(seconds > 0)) return "nothing is to be sent";
  const bool least_latency = std::all_of(parts.begin(), parts.end(), [&](const Parts& each) {
    return is_most(best.latency, each.latency);
  });
  const bool least_bytes = std::all_of(parts.begin(), parts.end(), [&](const Parts& each) {
    return is_most(best.bytes, each.bytes);
  });
  const double share = 100 * best.latency / seconds;
  std::string text;
  if (least_latency && (share >= 50 || !least_bytes)) {
    // Rounds are known of closed forms; a round of many messages is no short one.
    const auto rounds = [&](const Parts& each) {
      return each.prediction->algorithm->rounds.value(size_of(*each.prediction, problem, bytes));
    };
    const bool fewest =
        !is_estimated(problem.topology.get(), machine) &&
        std::all_of(parts.begin(), parts.end(), [&](const Parts& each) {
          return rounds(best) <= rounds(each) || !is_most(each.latency, best.latency);
        });
    text = fewest ? fmt::format("least latency, {} round{}", rounds(best),
                                rounds(best) == 1 ? "" : "s")
                  : "least latency";
    text +=
        problem.collective == Collective::barrier
            ? ""
            : fmt::format(": at n = {} latency is {:.0f} % of the time", format_bytes(n), share);
  } else if (least_bytes) {
    text = fmt::format("least to move{}: at n = {} bytes are {:.0f} % of the time",
                       reduces(problem.collective) ? " and combine" : "", format_bytes(n),
                       100 - share);
  } else {
    const auto& quick = *std::min_element(parts.begin(), parts.end(),
                                          [](auto& a, auto& b) { return a.latency < b.latency; });
    const auto& light = *std::min_element(parts.begin(), parts.end(),
                                          [](auto& a, auto& b) { return a.bytes < b.bytes; });
    text = fmt::format(
        "the least of latency ({:.0f} %) and bytes together: {} has less latency, {} less to move",
        share, quick.prediction->algorithm->name, light.prediction->algorithm->name);
  }
  std::vector<std::string_view> equals;
  const Parts* next = nullptr;
  for (std::size_t i = 1; i < parts.size() && next == nullptr; ++i)
    if (is_most(parts[i].prediction->seconds, seconds))
      equals.push_back(parts[i].prediction->algorithm->name);
    else
      next = &parts[i];
  if (!equals.empty())
    text += fmt::format("; {} {} as long", fmt::join(equals, ", "),
                        equals.size() == 1 ? "takes" : "take");
  if (next != nullptr)
    text += fmt::format("; {} would take {}", next->prediction->algorithm->name,
                        longer(next->prediction->seconds / seconds));
  if (bound > 0.0) text += fmt::format("; {:.2f} times the lower bound", seconds / *bound);
  return text;
}

}  // namespace tutti::core
