#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/bench_options.hpp"
#include "cli/progress.hpp"
#include "measure/guidelines.hpp"
#include "measure/results.hpp"

namespace tutti::core::cli {

/// A cell, measured in several passes over the grid. Every rank knows the same of it.
struct Passes {
  CellResult result;
  std::size_t number = 0;  // in the grid
  double elapsed = 0;      // seconds
  double share = 0;        // of the work
  bool done = false;
};

std::vector<CellResult> results_of(const std::vector<Passes>& cells);

/// What rank 0 shows and keeps while cells come in.
class BenchOutput {
 public:
  using Json = nlohmann::ordered_json;

  BenchOutput(const BenchOptions& options, Json head, std::size_t total);

  void table(const std::string& text) {
    if (shows_table_) say(text);
  }
  void next(const std::string& what);
  /// A cell as it stands after a pass; lines come after the last one, in the cells' order.
  void add(const Passes& cell);
  void add(const std::vector<Judgement>& judgements);
  /// What an interrupted run has of cells that wanted more passes.
  void show_rest();
  void end(bool complete);
  const std::vector<Passes>& cells() const { return cells_; }
  const std::vector<Judgement>& judgements() const { return judgements_; }

 private:
  using Clock = std::chrono::steady_clock;

  void say(const std::string& text);
  void show_next();
  /// Regret takes its time: at the end.
  std::string text(bool complete, bool last) const;
  /// A file that is there is whole. What is no file, such as a device, is written once, at the end.
  void write(bool complete, bool last) const;

  const BenchOptions& options_;
  const Json head_;
  const std::size_t total_;
  const bool shows_table_;
  Progress progress_;
  std::size_t shown_ = 0;
  Clock::time_point next_write_;
  std::vector<Passes> cells_;
  std::vector<Judgement> judgements_;
};

}  // namespace tutti::core::cli
