// What `tutti bench` shows and writes: a table while it runs, a document that is always whole.

#include "cli/mpi/bench_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "cli/mpi/terminal.hpp"
#include "measure/regret.hpp"
#include "schedule/whole_file.hpp"

namespace tutti::core::cli {

std::vector<CellResult> results_of(const std::vector<Passes>& cells) {
  std::vector<CellResult> results;
  results.reserve(cells.size());
  for (const Passes& each : cells) results.push_back(each.result);
  return results;
}

BenchOutput::BenchOutput(const BenchOptions& options, Json head, std::size_t total)
    : options_(options),
      head_(std::move(head)),
      total_(total),
      shows_table_(!options.json && !(options.csv && options.file.empty())),
      progress_(launcher_has_terminal(STDERR_FILENO)) {
  if (!options.file.empty()) write(false, false);  // what cannot be written is better known now
}

void BenchOutput::say(const std::string& text) {
  progress_.clear();
  std::cout << text << std::flush;
}

void BenchOutput::next(const std::string& what) {
  double done = static_cast<double>(judgements_.size()) / 2;
  for (const Passes& each : cells_) done += each.share;
  progress_.show(done, static_cast<double>(total_), what);
}

void BenchOutput::add(const Passes& cell) {
  if (cell.number == cells_.size()) cells_.emplace_back();
  cells_[cell.number] = cell;
  while (shown_ < cells_.size() && cells_[shown_].done) show_next();
  if (options_.file.empty() || Clock::now() < next_write_) return;
  write(false, false);
  next_write_ = Clock::now() + std::chrono::seconds(1);
}

void BenchOutput::add(const std::vector<Judgement>& judgements) {
  judgements_.insert(judgements_.end(), judgements.begin(), judgements.end());
  if (!options_.file.empty()) write(false, false);
}

void BenchOutput::show_rest() {
  while (shown_ < cells_.size()) show_next();
}

void BenchOutput::end(bool complete) {
  progress_.clear();
  if (!options_.file.empty())
    write(complete, true);
  else if (options_.json || options_.csv)
    say(text(complete, true));
  if (!std::cout.flush())
    throw std::runtime_error("cannot write to standard output: is the disk full?");
}

void BenchOutput::show_next() {
  const CellResult& result = cells_[shown_++].result;
  table(options_.regret ? regret_line(result)
        : options_.all  ? table_rows(result)
                        : table_line(result));
}

std::string BenchOutput::text(bool complete, bool last) const {
  if (options_.csv) {
    std::string csv = options_.regret ? regret_csv_head() : csv_head();
    for (const Passes& each : cells_)
      csv += !options_.regret ? csv_of(each.result) : last ? regret_csv_of(each.result) : "";
    return csv;
  }
  Json json = head_;
  json["complete"] = complete;
  Json cells = Json::array(), rules = Json::array();
  for (const Passes& each : cells_) {
    cells.push_back(json_of(each.result, options_.samples));
    if (options_.regret && last && each.result.chosen() != nullptr)
      cells.back()["regret"] = json_of(regret_of(each.result));
  }
  for (const Judgement& each : judgements_) rules.push_back(json_of(each));
  if (options_.regret && last) json["regret"] = json_of(summary_of(results_of(cells_)));
  if (options_.guidelines)
    json["guidelines"] = rules;
  else
    json["cells"] = cells;
  return json.dump(1) + "\n";
}

void BenchOutput::write(bool complete, bool last) const {
  namespace fs = std::filesystem;
  const fs::path target = options_.file;
  std::error_code unknown;
  const bool is_device = fs::exists(target, unknown) && !fs::is_regular_file(target, unknown) &&
                         !fs::is_directory(target, unknown);
  if (is_device && !last) return;
  if (write_whole(target, text(complete, last))) return;
  throw std::runtime_error(
      fmt::format("cannot write '{}': is it a file, its folder there and writable, and the disk "
                  "not full?",
                  options_.file));
}

}  // namespace tutti::core::cli
