#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/results.hpp"

namespace tutti::core {

/// What was taken, over what would have been best. The best is found on one half of the samples and
/// the ratio comes from the other, so that luck of the best does not count; then the halves change
/// places, and the geometric mean holds.
struct Ratio {
  double value = 0;    // 0: there is nothing to compare with
  std::string best{};  // on all samples
};

/// Of one cell. Below 1: what was taken is better than every candidate, by other parameters or by
/// chance.
struct Regret {
  Ratio with_native, without_native;
  /// What the same procedure gives for equal candidates: every other sample of what was taken,
  /// against those in between. 0: too few samples.
  double noise = 0;
  /// The MPI's own is faster than what was taken on both halves.
  bool native_wins = false;
};

/// Rows that are wrong, cannot run or were left out as hopeless are no candidates. Halves are every
/// other pass, or, of one pass, every other sample; a single sample is both halves.
Regret regret_of(const CellResult& result);

/// Over all cells that have one.
struct RegretSummary {
  struct Share {
    std::size_t cells = 0;
    double median = 0, p95 = 0, most = 0;
  };
  Share with_native, without_native, noise;
  std::vector<std::string> native_wins;  // cells
};

RegretSummary summary_of(const std::vector<CellResult>& cells);

nlohmann::ordered_json json_of(const Regret& regret);
nlohmann::ordered_json json_of(const RegretSummary& summary);

/// A line for each cell, without the head.
std::string regret_csv_of(const CellResult& result);
std::string regret_csv_head();

/// The table of a terminal, and what stands below it.
std::string regret_head();
std::string regret_line(const CellResult& result);
std::string regret_text(const RegretSummary& summary);

}  // namespace tutti::core
