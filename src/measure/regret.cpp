// How far what was taken lies behind the best, cell by cell and in all.

#include "measure/regret.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tutti::core {

namespace {

/// Of each sample whether it is in the first half.
std::vector<bool> halves_of(const std::vector<std::size_t>& passes, std::size_t samples) {
  std::vector<bool> first;
  for (std::size_t pass = 0; passes.size() > 1 && pass < passes.size(); ++pass)
    first.insert(first.end(), passes[pass], pass % 2 == 0);
  for (std::size_t i = first.size(); i < samples; ++i) first.push_back(i % 2 == 0);
  first.resize(samples);
  return first;
}

std::vector<double> half_of(const std::vector<double>& samples, const std::vector<bool>& first,
                            bool which) {
  std::vector<double> half;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (first[i] == which) half.push_back(samples[i]);
  return half.empty() ? samples : half;
}

using Candidates = std::vector<std::pair<std::string, const std::vector<double>*>>;

std::size_t fastest(const Candidates& candidates, const std::vector<bool>& first, bool which) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double time = median_of(half_of(*candidates[i].second, first, which)).value;
    if (i == 0 || time < least) best = i, least = time;
  }
  return best;
}

/// Samples that stand side by side.
double score(const std::vector<double>& taken, const std::vector<double>& best,
             const std::vector<bool>& first, bool which) {
  return median_of(ratios(half_of(taken, first, which), half_of(best, first, which))).value;
}

Ratio ratio_of(const std::vector<double>& taken, const Candidates& candidates,
               const std::vector<bool>& first) {
  if (candidates.empty()) return {};
  double product = 1;
  for (const bool found_on : {true, false}) {
    const std::size_t best = fastest(candidates, first, found_on);
    product *= score(taken, *candidates[best].second, first, !found_on);
  }
  const std::vector<bool> all(first.size(), true);
  return {std::sqrt(product), candidates[fastest(candidates, all, true)].first};
}

/// Every other sample against those in between, of the same halves.
double noise_of(const ResultRow& taken, const std::vector<bool>& first) {
  std::vector<double> even, odd;
  std::vector<bool> halves;
  for (std::size_t i = 0; i + 1 < taken.seconds.size(); ++i) {
    if (first[i] != first[i + 1] && taken.passes.size() > 1) continue;  // of two passes
    even.push_back(taken.seconds[i]);
    odd.push_back(taken.seconds[i + 1]);
    halves.push_back(first[i]);
    ++i;
  }
  if (taken.passes.size() <= 1)
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = i % 2 == 0;
  if (even.empty()) return 0;
  return ratio_of(even, {{"", &odd}}, halves).value;
}

RegretSummary::Share share_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(values.size())));
  return {values.size(), median_of(values).value, values[at - 1], values.back()};
}

nlohmann::ordered_json json_of(const RegretSummary::Share& share) {
  return {
      {"cells", share.cells}, {"median", share.median}, {"p95", share.p95}, {"most", share.most}};
}

std::string figure(double value) { return value > 0 ? fmt::format("{:.3f}", value) : "-"; }

}  // namespace

Regret regret_of(const CellResult& result) {
  const ResultRow* const taken = result.chosen();
  if (taken == nullptr || taken->seconds.empty()) return {};
  const std::size_t samples = taken->seconds.size();
  const std::vector<bool> first = halves_of(taken->passes, samples);
  Candidates all, own;
  const ResultRow* native = nullptr;
  for (const ResultRow& row : result.rows) {
    if (&row == taken || !row.correct || row.seconds.size() != samples) continue;
    all.emplace_back(row.algorithm, &row.seconds);
    if (row.algorithm == "native")
      native = &row;
    else
      own.emplace_back(row.algorithm, &row.seconds);
  }
  Regret regret{ratio_of(taken->seconds, all, first), ratio_of(taken->seconds, own, first),
                noise_of(*taken, first)};
  if (native != nullptr && regret.with_native.best == "native")
    regret.native_wins = score(taken->seconds, native->seconds, first, true) > 1 &&
                         score(taken->seconds, native->seconds, first, false) > 1;
  return regret;
}

RegretSummary summary_of(const std::vector<CellResult>& cells) {
  std::vector<double> with, without, noise;
  RegretSummary summary;
  for (const CellResult& cell : cells) {
    const Regret regret = regret_of(cell);
    if (regret.with_native.value > 0) with.push_back(regret.with_native.value);
    if (regret.without_native.value > 0) without.push_back(regret.without_native.value);
    if (regret.noise > 0) noise.push_back(regret.noise);
    if (regret.native_wins)
      summary.native_wins.push_back(
          fmt::format("{} ({:.2f})", cell.cell.describe(), regret.with_native.value));
  }
  summary.with_native = share_of(with);
  summary.without_native = share_of(without);
  summary.noise = share_of(noise);
  return summary;
}

nlohmann::ordered_json json_of(const Regret& regret) {
  return {{"with_native", regret.with_native.value},
          {"best", regret.with_native.best},
          {"without_native", regret.without_native.value},
          {"best_without_native", regret.without_native.best},
          {"noise", regret.noise},
          {"native_wins", regret.native_wins}};
}

nlohmann::ordered_json json_of(const RegretSummary& summary) {
  return {{"with_native", json_of(summary.with_native)},
          {"without_native", json_of(summary.without_native)},
          {"noise", json_of(summary.noise)},
          {"native_wins", summary.native_wins}};
}

std::string regret_csv_head() {
  return "collective,p,bytes,distribution,type,root,chosen,chosen_us,best,regret,"
         "best_without_native,regret_without_native,noise,native_us,native_wins\n";
}

std::string regret_csv_of(const CellResult& result) {
  const Regret regret = regret_of(result);
  const ResultRow* const taken = result.chosen();
  if (taken == nullptr) return "";
  const ResultRow* const native = result.native();
  return fmt::format(
      "{},{},{},{},{},{},\"{}\",{:.6g},\"{}\",{:.5g},\"{}\",{:.5g},{:.5g},{:.6g},{:d}\n",
      name_of(result.cell.collective), result.cell.p, result.cell.bytes,
      name_of(result.cell.distribution), name_of(result.cell.element), result.cell.root,
      taken->taken, taken->time.value * 1e6, regret.with_native.best, regret.with_native.value,
      regret.without_native.best, regret.without_native.value, regret.noise,
      native == nullptr ? 0.0 : native->time.value * 1e6, regret.native_wins);
}

std::string regret_head() {
  return fmt::format("{:<20} {:>5} {:>5} {:<11} {:>8} {:<28} {:>7} {:<28} {:>8} {:<28} {:>6}\n",
                     "collective", "ranks", "bytes", "data", "chosen", "algorithm", "regret",
                     "best", "Tutti's", "best of Tutti's", "noise");
}

std::string regret_line(const CellResult& result) {
  std::string line = columns_of(result.cell);
  if (!result.failure.empty()) return line + result.failure + "\n";
  const ResultRow* const taken = result.chosen();
  if (taken == nullptr || taken->seconds.empty()) return line + "not measured\n";
  const Regret regret = regret_of(result);
  line +=
      fmt::format("{:>8} {:<28} {:>7} {:<28} {:>8} {:<28} {:>6}", format_seconds(taken->time.value),
                  short_name(taken->taken), figure(regret.with_native.value),
                  short_name(regret.with_native.best), figure(regret.without_native.value),
                  short_name(regret.without_native.best), figure(regret.noise));
  for (const ResultRow& row : result.rows)
    if (!row.correct) line += fmt::format("  WRONG: {}", short_name(row.algorithm));
  return line + "\n";
}

std::string regret_text(const RegretSummary& summary) {
  std::string text = "\n";
  const auto add = [&](std::string_view what, const RegretSummary::Share& share) {
    text += fmt::format("{:<42} {:>5} cells, median {:.3f}, 95th percentile {:.3f}, most {:.3f}\n",
                        what, share.cells, share.median, share.p95, share.most);
  };
  add("regret, with the MPI's own as a candidate:", summary.with_native);
  add("regret among Tutti's:", summary.without_native);
  add("noise, equal candidates:", summary.noise);
  text += fmt::format("cells that the MPI's own wins: {}\n", summary.native_wins.size());
  for (const std::string& each : summary.native_wins) text += fmt::format("  {}\n", each);
  return text;
}

}  // namespace tutti::core
