#include "figure_15.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "model/replay.hpp"
#include "request/request.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

namespace {

constexpr int first_p = 2, last_p = 140;

/// What the text below Figure 15 lists; binary blocks win everywhere else.
constexpr int ring_wins[] = {3, 5, 7, 9, 10, 11, 17};
constexpr int halving_doubling_wins[] = {33, 65, 66, 97, 128, 129, 130, 131};

bool is_tie(int p) { return std::has_single_bit(static_cast<unsigned>(p)); }

/// 3, 5, 9-11
std::string runs(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0, j; i < numbers.size(); i = j) {
    for (j = i + 1; j < numbers.size() && numbers[j] == numbers[j - 1] + 1; ++j) {
    }
    text += text.empty() ? "" : ", ";
    text += fmt::format("{}", numbers[i]);
    if (j - i > 1) text += fmt::format("{}{}", j - i > 2 ? "-" : ", ", numbers[j - 1]);
  }
  return text.empty() ? "none" : text;
}

/// Which of the candidates wins: by replay of the schedules that would run, with blocks of whole
/// elements.
Winner winner_at(int p, const std::vector<const Algorithm*>& candidates, const Rates& rates) {
  constexpr std::size_t n = 32 << 10, element_bytes = 8;
  Winner winner{p, {}, {}};
  for (const Algorithm* algorithm : candidates) {
    Problem problem = Problem::even(algorithm->collective, p, n / element_bytes);
    problem.element_bytes = element_bytes;
    winner.seconds.push_back(replay(schedules_of(problem, *algorithm, {}), element_bytes, rates));
  }
  const double best = *std::min_element(winner.seconds.begin(), winner.seconds.end());
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (winner.seconds[i] <= best * (1 + 1e-9)) winner.algorithms.push_back(candidates[i]);
  return winner;
}

}  // namespace

Figure15 figure_15(const Rates& rates) {
  Figure15 figure;
  for (const char* name :
       {"allreduce/pairwise_ring", "allreduce/rabenseifner", "allreduce/binary_blocks"})
    figure.candidates.push_back(parse_request(name).algorithm);
  for (int p = first_p; p <= last_p; ++p) {
    figure.ours.push_back(winner_at(p, figure.candidates, rates));
    const bool ring = std::ranges::find(ring_wins, p) != std::end(ring_wins);
    const bool halving =
        std::ranges::find(halving_doubling_wins, p) != std::end(halving_doubling_wins);
    figure.paper.push_back(figure.candidates[ring ? 0 : halving ? 1 : 2]);
    if (is_tie(p)) continue;
    ++figure.compared;
    if (figure.ours.back().algorithms.front() != figure.paper.back())
      figure.differences.push_back(figure.ours.size() - 1);
  }
  return figure;
}

std::string Figure15::markdown() const {
  std::string text = "| fastest | in the paper | here |\n| --- | --- | --- |\n";
  for (std::size_t c = 0; c + 1 < candidates.size(); ++c) {
    std::vector<int> theirs, mine;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (is_tie(ours[i].p)) continue;
      if (paper[i] == candidates[c]) theirs.push_back(ours[i].p);
      if (ours[i].algorithms.front() == candidates[c]) mine.push_back(ours[i].p);
    }
    text += fmt::format("| {} | {} | {} |\n", candidates[c]->name, runs(theirs), runs(mine));
  }
  text += fmt::format("| {} | all others | all others |\n\n", candidates.back()->name);
  text += "| p |";
  for (const Algorithm* candidate : candidates) text += fmt::format(" {} |", candidate->name);
  text += " in the paper | here | ahead by |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const std::size_t i : differences) {
    text += fmt::format("| {} |", ours[i].p);
    double theirs = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      text += fmt::format(" {:.0f} us |", ours[i].seconds[c] * 1e6);
      if (candidates[c] == paper[i]) theirs = ours[i].seconds[c];
    }
    const double best = *std::min_element(ours[i].seconds.begin(), ours[i].seconds.end());
    text += fmt::format(" {} | {} | {:.1f} % |\n", paper[i]->name, ours[i].algorithms.front()->name,
                        100 * (theirs / best - 1));
  }
  return text;
}

std::string figure_15_under_other_rates(const Rates& rates) {
  std::string text = "| rates | p that differ |\n| --- | --- |\n";
  const auto add = [&](std::string_view name, const Rates& changed) {
    text += fmt::format("| {} | {} |\n", name, figure_15(changed).differences.size());
  };
  const auto with = [&](double Rates::*rate, double factor) {
    Rates changed = rates;
    changed.*rate *= factor;
    return changed;
  };
  add("the profile", rates);
  add("alpha 20 % less", with(&Rates::alpha, 0.8));
  add("alpha 20 % more", with(&Rates::alpha, 1.2));
  add("gamma 20 % less", with(&Rates::gamma, 0.8));
  add("gamma 20 % more", with(&Rates::gamma, 1.2));
  Rates one_cost = rates;
  one_cost.alpha_uni = rates.alpha;
  one_cost.beta_uni = rates.beta;
  add("one way as dear as an exchange", one_cost);
  return text;
}

}  // namespace tutti::core
