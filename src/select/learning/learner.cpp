// The learner: candidates take turns in laps, and whoever is clearly slower is out.

#include "select/learning/learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tutti::core {

Learner::Learner(std::size_t candidates, double within)
    : candidates_(candidates), tie_(within), settled_(candidates < 2) {
  if (!settled_) begin_lap();
}

Learner::Learner(const Outcome& outcome)
    : candidates_(outcome.seconds.size()), tie_(tie), best_(outcome.best), settled_(true) {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    candidates_[i].times = {outcome.seconds[i]};
    candidates_[i].like_best = outcome.like_best[i];
    candidates_[i].out = i != best_;
  }
}

Learner::Outcome Learner::outcome() const {
  Outcome outcome{.best = best_, .seconds = {}, .like_best = {}};
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    outcome.seconds.push_back(seconds(i));
    outcome.like_best.push_back(candidates_[i].like_best);
  }
  return outcome;
}

double Learner::usual(std::vector<double> times) {
  if (times.empty()) return 0;
  const std::size_t counted = std::max<std::size_t>(1, times.size() * 2 / 3);
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(counted);
  std::nth_element(times.begin(), end - 1, times.end());
  return std::accumulate(times.begin(), end, 0.0) / static_cast<double>(counted);
}

double Learner::seconds(std::size_t candidate) const { return usual(candidates_[candidate].times); }

void Learner::begin_lap() {
  std::vector<std::size_t> runners;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (!candidates_[i].out) runners.push_back(i);
  order_.clear();
  own_.clear();
  if (lap_ > 0) {
    for (const std::size_t each : runners)
      order_.insert(order_.end(), static_cast<std::size_t>(turns[lap_]), each);
    return;
  }
  for (int turn = -1; turn < turns[0]; ++turn) {
    order_.insert(order_.end(), runners.begin(), runners.end());
    // A program's calls may have a rhythm of their own.
    std::rotate(runners.begin(), runners.begin() + 1, runners.end());
  }
}

std::size_t Learner::next() const {
  return settled_ || wait_ > 0 ? best_ : order_[own_.size() / 2];
}

bool Learner::note(double begin, double end) {
  if (settled_) return false;
  if (wait_ > 0) {
    if (--wait_ == 0) begin_lap();
    return false;
  }
  own_.insert(own_.end(), {begin, end});
  if (own_.size() < 2 * order_.size()) return false;
  own_.push_back(own_agreement_);
  return true;
}

void Learner::agree(std::span<const double> latest) {
  const std::size_t warm = lap_ == 0 ? order_.size() / (turns[0] + 1) : 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    Candidate& each = candidates_[order_[i]];
    const double seconds = std::max(0.0, latest[2 * i + 1] - latest[2 * i]);
    each.shortest = i < warm ? seconds : std::min(each.shortest, seconds);
    if (i >= warm) each.times.push_back(seconds);
  }
  // The first agreement makes connections, like the turns that warm up.
  if (lap_ > 1) {
    spent_ += latest.back() - agreement_;
    total_ += latest.back() - agreement_;
    agreement_ = latest.back();
  }
  drop_slower();
  if (lap_ >= told_by) give_up();
  if (lap_ < 2) agreement_ = seconds(best_);
  if (lap_ > 0) {
    // By usual times: what a disturbance takes is no cost of exploring.
    for (const std::size_t each : order_) {
      spent_ += std::max(0.0, seconds(each) - seconds(best_));
      total_ += seconds(each);
    }
    spent_ += agreement_;
    total_ += agreement_;
  }
  ++lap_;
  const auto left = std::count_if(candidates_.begin(), candidates_.end(),
                                  [](const Candidate& each) { return !each.out; });
  if (left == 1 || lap_ == laps) {
    settled_ = true;
    return;
  }
  wait_ = calls_to_wait();
  total_ += static_cast<double>(wait_) * seconds(best_);
  if (wait_ == 0) begin_lap();
}

void Learner::drop_slower() {
  double least = seconds(best_);
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (!candidates_[i].out) least = std::min(least, seconds(i));
  for (std::size_t i = candidates_.size(); i-- > 0;)
    if (!candidates_[i].out && seconds(i) <= least * tie_) best_ = i;
  const double best = seconds(best_);
  const double quick = lap_ == 0 ? std::max(slower[0] * best, best + dear) : best;
  for (Candidate& each : candidates_)
    each.out = each.out || (usual(each.times) > slower[lap_] * best && each.shortest > quick);
}

double Learner::doubt(std::size_t candidate) const {
  std::vector<double> times = candidates_[candidate].times;
  std::sort(times.begin(), times.end());
  times.resize(std::max<std::size_t>(1, times.size() * 2 / 3));
  const double mean = seconds(candidate), n = static_cast<double>(times.size());
  const double squares =
      std::accumulate(times.begin(), times.end(), 0.0,
                      [&](double sum, double each) { return sum + (each - mean) * (each - mean); });
  return 2 * std::sqrt(squares) / n;  // two standard errors
}

void Learner::give_up() {
  std::size_t first = 0;
  while (candidates_[first].out) ++first;
  const auto is_apart = [&](std::size_t i) {
    const double lead = std::abs(seconds(first) - seconds(i)), whole = seconds(first);
    const double doubtful = std::min((like - 1) * whole, doubt(first) + doubt(i));
    return lead > std::max((tie_ - 1) * whole, doubtful);
  };
  for (std::size_t i = first + 1; i < candidates_.size(); ++i)
    if (!candidates_[i].out && is_apart(i)) return;
  for (std::size_t i = first + 1; i < candidates_.size(); ++i)
    if (!candidates_[i].out) candidates_[i].out = candidates_[i].like_best = true;
  best_ = first;
}

std::size_t Learner::calls_to_wait() const {
  const double best = seconds(best_);
  double costs = agreement_, takes = agreement_;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (!candidates_[i].out) {
      costs += turns[lap_] * std::max(0.0, seconds(i) - best);
      takes += turns[lap_] * seconds(i);
    }
  if (!(best > 0)) return 0;
  const double missing = (spent_ + costs) / share - total_ - takes;
  return missing > 0 ? static_cast<std::size_t>(std::ceil(missing / best)) : 0;
}

}  // namespace tutti::core
