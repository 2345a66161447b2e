// Decides who is measured next and how often, and which algorithm is taken from which size on.

#include "tune/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "measure/share.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {
namespace {

/// Calls of each candidate in the first pass; twice as many in each that follows.
constexpr int first_repetitions = 4;
constexpr int most_passes = 4;
constexpr int all_repetitions = first_repetitions * ((1 << most_passes) - 1);
/// Of the budget; the rest is for sizes between those where the choice changes.
constexpr double share_of_grid = 0.75;
/// Calls that are predicted to take no longer are measured whatever the model says of them, within
/// that.
constexpr double cheap_seconds = 1e-3;
/// What a measurement takes beside the calls: buffers, agreement.
constexpr double seconds_aside = 2e-3;

double cells_of(const DecisionCase& one) { return static_cast<double>(one.cells.size()); }

/// The cases of each row of the table, by size.
std::vector<std::vector<const DecisionCase*>> by_row(const std::vector<DecisionCase>& cases) {
  std::vector<std::vector<const DecisionCase*>> lists;
  for (const DecisionCase& each : cases) {
    auto list = std::find_if(lists.begin(), lists.end(), [&](const auto& some) {
      return some.front()->collective == each.collective && some.front()->blocks == each.blocks;
    });
    if (list == lists.end()) list = lists.emplace(lists.end());
    list->push_back(&each);
  }
  for (auto& list : lists)
    std::sort(list.begin(), list.end(),
              [](const DecisionCase* a, const DecisionCase* b) { return a->bytes < b->bytes; });
  return lists;
}

/// The contenders at the nearest size that was measured; none if there is none.
std::vector<Contender> measured_near(const std::vector<const DecisionCase*>& sizes,
                                     const DecisionCase& one) {
  const auto distance = [&](const DecisionCase* other) {
    return std::abs(std::log(static_cast<double>(std::max<std::size_t>(1, other->bytes))) -
                    std::log(static_cast<double>(std::max<std::size_t>(1, one.bytes))));
  };
  const DecisionCase* nearest = nullptr;
  for (const DecisionCase* each : sizes)
    if (each->is_measured() && (nearest == nullptr || distance(each) < distance(nearest)))
      nearest = each;
  return nearest == nullptr ? std::vector<Contender>{} : nearest->contenders;
}

/// What contenders took, the fastest first.
SizeMeasured measured_at(const DecisionCase& one) {
  SizeMeasured result{one.bytes, {}};
  for (const Contender& each : one.contenders)
    if (!each.seconds.empty()) {
      const std::string in_table = each.name.substr(each.name.find('/') + 1);
      result.seconds.emplace_back(in_table, median_of(each.seconds).value);
    }
  std::stable_sort(result.seconds.begin(), result.seconds.end(),
                   [](const auto& a, const auto& b) { return a.second < b.second; });
  return result;
}

}  // namespace

std::vector<DecisionRow> Decider::decide(std::vector<DecisionCase>& cases,
                                         const std::shared_ptr<const Topology>& topology,
                                         Decided& report) {
  run(cases, share_of_grid);
  refine(cases);
  std::vector<DecisionRow> rows;
  for (const std::vector<const DecisionCase*>& of_it : by_row(cases)) {
    DecisionRow row{of_it.front()->collective, topology, {}, of_it.front()->blocks};
    for (const SizeChoice& each : merged(choices(of_it, &report))) {
      Decision decision{each.bytes, {}, each.seconds, each.measured};
      if (each.name != native_name) decision.request = parse_request(each.name);
      row.choices.push_back(std::move(decision));
    }
    for (const DecisionCase* each : of_it)
      if (each->is_measured()) row.measured.push_back(measured_at(*each));
    rows.push_back(std::move(row));
  }
  report.sizes = cases.size();
  for (const DecisionCase& each : cases) {
    report.measured += each.is_measured();
    for (const Contender& one : each.contenders) report.candidates += !one.seconds.empty();
  }
  return rows;
}

void Decider::say(double share, const DecisionCase& next) const {
  if (!options_.progress) return;
  options_.progress(share, fmt::format("{}{}", name_of(next.collective),
                                       next.bytes > 0 ? " " + format_bytes(next.bytes) : ""));
}

double Decider::cost(const DecisionCase& one, int repetitions) const {
  double all = 0, least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : in_race(one)) {
    const Contender& contender = one.contenders[i];
    const double each = !contender.seconds.empty() ? median_of(contender.seconds).value
                        : contender.predicted > 0  ? contender.predicted * slower_
                                                   : one.best_predicted * slower_;
    all += each;
    least = std::min(least, each);
  }
  const int calls = repetitions + (least < long_call_seconds ? 1 : 0);
  return cells_of(one) * (all * one.mean * calls + seconds_aside);
}

ModelError Decider::error_of(const DecisionCase& one) const {
  const auto known = errors_.find({one.collective, one.blocks});
  return known == errors_.end() ? ModelError{} : known->second;
}

std::vector<std::size_t> Decider::in_race(const DecisionCase& one) const {
  const double within = one.best_predicted * error_of(one).factor();
  const double cheap = noise_ == Noise::none ? 0 : cheap_seconds / one.mean;
  const double most = std::max(within, cheap);
  const bool all = options_.exhaustive || one.refined, began = one.is_measured();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < one.contenders.size(); ++i) {
    const Contender& each = one.contenders[i];
    if (each.is_out) continue;
    const bool enters =
        all || each.is_first_choice || each.predicted == 0 || each.predicted <= most;
    if (began ? !each.seconds.empty() : enters) places.push_back(i);
  }
  return places;
}

void Decider::run(std::vector<DecisionCase>& cases, double share) {
  std::vector<DecisionCase*> order;
  for (DecisionCase& each : cases)
    if (!each.is_measured()) order.push_back(&each);
  const bool unlimited = noise_ == Noise::none || options_.exhaustive;
  const double end = options_.budget * share;
  const int passes = noise_ == Noise::none ? 1 : most_passes;
  int repetitions = noise_ == Noise::none ? 1 : first_repetitions, done = 0;
  for (int pass = 0; pass < passes; ++pass, done += repetitions, repetitions *= 2) {
    sort_by_cost(order);
    std::vector<double> wanted;
    for (const DecisionCase* each : order)
      wanted.insert(wanted.end(), each->cells.size(),
                    cost(*each, all_repetitions - done) / cells_of(*each));
    const double most =
        unlimited ? std::numeric_limits<double>::infinity() : fair_share(wanted, end - elapsed());
    for (DecisionCase* each : order) {
      say_next(*each, cases.size() * static_cast<std::size_t>(passes), unlimited);
      if (team_.is_interrupted() || (!unlimited && elapsed() >= end)) return;
      const double share_of_it = most * cells_of(*each) / cost(*each, repetitions);
      const double affordable = std::min(1.0, share_of_it) * repetitions;
      if (affordable >= 1) measure(*each, static_cast<int>(affordable));
    }
    std::erase_if(order, [](const DecisionCase* each) {
      return each->is_measured() && is_settled(each->contenders);
    });
  }
  run_the_rest(order, end, unlimited);
}

/// One call of those for which there was no time.
void Decider::run_the_rest(std::vector<DecisionCase*>& order, double end, bool unlimited) {
  std::erase_if(order, [](const DecisionCase* each) { return each->is_measured(); });
  sort_by_cost(order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    say_next(*order[i], order.size(), unlimited);
    const double left = end - elapsed(), one_call = cost(*order[i], 1);
    if (team_.is_interrupted() || one_call > left) return;
    const double affordable = left / static_cast<double>(order.size() - i) / one_call;
    measure(*order[i], static_cast<int>(std::clamp(affordable, 1.0, 1.0 * first_repetitions)));
  }
}

void Decider::sort_by_cost(std::vector<DecisionCase*>& order) const {
  std::vector<std::pair<double, DecisionCase*>> by_cost;
  for (DecisionCase* each : order) by_cost.emplace_back(cost(*each, 1), each);
  std::stable_sort(by_cost.begin(), by_cost.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::transform(by_cost.begin(), by_cost.end(), order.begin(),
                 [](const auto& each) { return each.second; });
}

void Decider::say_next(const DecisionCase& next, std::size_t steps, bool unlimited) {
  const double done = unlimited ? static_cast<double>(done_++) / static_cast<double>(steps)
                                : elapsed() / options_.budget;
  say(std::min(1.0, done), next);
}

void Decider::measure(DecisionCase& one, int repetitions) {
  const std::vector<std::size_t> places = in_race(one);
  if (places.size() < 2) return;
  std::vector<std::string> names;
  for (const std::size_t i : places) names.push_back(one.contenders[i].name);
  const bool is_first = !one.is_measured();
  const double expected = cost(one, repetitions), begin = elapsed();
  auto samples = team_.measure(one.cells, names, repetitions, is_first);
  const bool any =
      std::any_of(samples.begin(), samples.end(), [](const auto& each) { return !each.empty(); });
  if (is_first && expected > 0 && any) {
    // Rates may be off, and ranks may outnumber cores.
    spent_ += elapsed() - begin;
    planned_ += expected / slower_;
    slower_ = std::clamp(spent_ / planned_, 1.0, 100.0);
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    Contender& contender = one.contenders[places[k]];
    contender.is_out = samples[k].empty();
    contender.seconds.insert(contender.seconds.end(), samples[k].begin(), samples[k].end());
  }
  if (is_first) errors_[{one.collective, one.blocks}].add(one.contenders);
  leave_out(one.contenders, noise_);
}

void Decider::refine(std::vector<DecisionCase>& cases) {
  std::vector<DecisionCase> more;
  for (const std::vector<const DecisionCase*>& of_it : by_row(cases)) {
    const std::vector<SizeChoice> at = choices(of_it, nullptr);
    for (const std::size_t bytes : sizes_between(at)) {
      const auto above = std::find_if(at.begin(), at.end(),
                                      [&](const SizeChoice& each) { return each.bytes > bytes; });
      DecisionCase one = case_of(of_it.front()->collective, p_, bytes, of_it.front()->blocks);
      one.refined = true;
      ranking_.rank(one, {std::prev(above)->name, above->name});
      more.push_back(std::move(one));
    }
  }
  cases.insert(cases.end(), more.begin(), more.end());
  run(cases, 1);
}

std::vector<SizeChoice> Decider::choices(const std::vector<const DecisionCase*>& sizes,
                                         Decided* report) const {
  std::vector<std::vector<Option>> options;
  for (const DecisionCase* each : sizes) {
    const std::vector<double> found =
        each->is_measured() ? regrets(each->contenders, noise_)
                            : regrets_as_near(each->contenders, measured_near(sizes, *each));
    options.emplace_back();
    for (std::size_t i = 0; i < found.size(); ++i)
      options.back().push_back({each->contenders[i].name, found[i]});
  }
  const std::vector<std::size_t> taken = steady(options);
  std::vector<SizeChoice> result;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const Contender& one = sizes[k]->contenders[taken[k]];
    const bool measured = !one.seconds.empty();
    const double seconds = measured ? median_of(one.seconds).value : one.predicted;
    result.push_back({sizes[k]->bytes, one.name, seconds, measured});
    const Contender& model = sizes[k]->contenders.front();
    if (report != nullptr && taken[k] != 0 && !model.seconds.empty())
      report->changes.push_back({sizes[k]->collective, sizes[k]->bytes, model.name, one.name,
                                 median_of(ratios(model.seconds, one.seconds)).value});
  }
  return result;
}

}  // namespace tutti::core
