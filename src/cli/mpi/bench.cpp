// tutti bench: the MPI's own collectives and Tutti's algorithms side by side.

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/mpi/verbs.hpp"
#include "measure/guidelines.hpp"
#include "measure/regret.hpp"
#include "measure/results.hpp"
#include "model/bounds.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/predict.hpp"
#include "timing/memory_limit.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"
#include "timing/trial.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A cell, measured in several passes over the grid. Every rank knows the same of it.
struct Passes {
  CellResult result;
  std::size_t number = 0;  // in the grid
  double elapsed = 0;      // seconds
  double share = 0;        // of the work
  bool done = false;
};

std::vector<CellResult> results_of(const std::vector<Passes>& cells) {
  std::vector<CellResult> results;
  for (const Passes& each : cells) results.push_back(each.result);
  return results;
}

/// What rank 0 shows and keeps while cells come in.
class Output {
  using Clock = std::chrono::steady_clock;

 public:
  Output(const BenchOptions& options, Json head, std::size_t total)
      : options_(options),
        head_(std::move(head)),
        total_(total),
        shows_table_(!options.json && !(options.csv && options.file.empty())),
        shows_progress_(launcher_has_terminal(STDERR_FILENO)) {
    if (!options.file.empty()) write(false, false);  // what cannot be written is better known now
  }

  void say(const std::string& text) {
    clear();
    std::cout << text << std::flush;
  }
  void table(const std::string& text) {
    if (shows_table_) say(text);
  }
  void next(const std::string& what) {
    if (!shows_progress_) return;
    double done = static_cast<double>(judgements_.size()) / 2;
    for (const Passes& each : cells_) done += each.share;
    const auto percent =
        static_cast<std::size_t>(total_ == 0 ? 100 : 100 * done / static_cast<double>(total_));
    std::cerr << fmt::format("\r\033[K[{:<25}] {:>3} %  {}", std::string(percent / 4, '='), percent,
                             what)
              << std::flush;
  }
  /// A cell as it stands after a pass; lines come after the last one, in the cells' order.
  void add(const Passes& cell) {
    if (cell.number == cells_.size()) cells_.emplace_back();
    cells_[cell.number] = cell;
    while (shown_ < cells_.size() && cells_[shown_].done) show_next();
    if (options_.file.empty() || Clock::now() < next_write_) return;
    write(false, false);
    next_write_ = Clock::now() + std::chrono::seconds(1);
  }
  void add(std::vector<Judgement> judgements) {
    judgements_.insert(judgements_.end(), judgements.begin(), judgements.end());
    if (!options_.file.empty()) write(false, false);
  }
  /// What an interrupted run has of cells that wanted more passes.
  void show_rest() {
    while (shown_ < cells_.size()) show_next();
  }
  void end(bool complete) {
    clear();
    if (!options_.file.empty())
      write(complete, true);
    else if (options_.json || options_.csv)
      say(text(complete, true));
    if (!std::cout.flush())
      throw std::runtime_error("cannot write to standard output: is the disk full?");
  }
  const std::vector<Passes>& cells() const { return cells_; }
  const std::vector<Judgement>& judgements() const { return judgements_; }

 private:
  void show_next() {
    const CellResult& result = cells_[shown_++].result;
    table(options_.regret ? regret_line(result)
          : options_.all  ? table_rows(result)
                          : table_line(result));
  }
  void clear() {
    if (shows_progress_) std::cerr << "\r\033[K" << std::flush;
  }

  /// Regret takes its time: at the end.
  std::string text(bool complete, bool last) const {
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

  /// A file that is there is whole: the new one takes its place only when it is written. What is no
  /// file, such as a device, is written once, at the end.
  void write(bool complete, bool last) const {
    const fs::path target = options_.file;
    std::error_code unknown;
    const bool in_place = fs::exists(target, unknown) && !fs::is_regular_file(target, unknown);
    if (in_place && !last && !fs::is_directory(target, unknown)) return;
    const fs::path fresh = in_place ? options_.file : options_.file + ".part";
    std::ofstream out(fresh, std::ios::binary);
    out << text(complete, last) << std::flush;
    std::error_code error;
    if (out && !in_place) fs::rename(fresh, target, error);
    if (out && !error) return;
    if (!in_place) fs::remove(fresh, error);
    throw std::runtime_error(
        fmt::format("cannot write '{}': is it a file, its folder there and writable, and the disk "
                    "not full?",
                    options_.file));
  }

  const BenchOptions& options_;
  const Json head_;
  const std::size_t total_;
  const bool shows_table_, shows_progress_;
  std::size_t shown_ = 0;
  Clock::time_point next_write_;
  std::vector<Passes> cells_;
  std::vector<Judgement> judgements_;
};

/// Of a cell whose halves are compared, whatever the budget says.
constexpr std::size_t least_passes = 4;

/// Elsewhere a composition over nodes is a flat algorithm with detours.
bool has_several_nodes(const Topology& topology) {
  return topology.nodes() > 1 && topology.largest() > 1;
}

Stopwatch::Start start_of(const BenchOptions& options, Collective collective) {
  if (options.start == "barrier") return Stopwatch::Start::barrier;
  if (options.start == "clock") return Stopwatch::Start::clock;
  if (options.start == "row") return Stopwatch::Start::row;
  return usual_start(collective);
}

/// A simulation gives the same every time, and a fixed number of repetitions is what was asked for.
std::size_t passes_of(const BenchOptions& options) {
  if (options.passes > 0) return static_cast<std::size_t>(options.passes);
  return is_simulated || options.repetitions > 0 || options.guidelines ? 1 : enough_passes;
}

/// The work on one communicator. All its ranks do the same; rank 0 has the output.
class Bench {
 public:
  Bench(MPI_Comm comm, const Effort& effort, const Rates& line, const BenchPlan& plan,
        const BenchOptions& options, Output* output)
      : comm_(comm),
        stopwatch_(comm),
        options_(options),
        effort_(effort),
        line_(line),
        plan_(plan),
        within_(options.within),
        regret_(options.regret),
        as_chosen_(regret_ || options.kind == "chosen"),
        output_(output),
        topology_(topology_seen(comm)),
        memory_(comm, topology_) {}

  /// Another pass over a cell. It is done when it is precise, and when its time is over.
  void pass(Passes& cell, std::size_t passes, double budget) {
    if (output_) output_->next(cell.result.cell.describe());
    const double begin = PMPI_Wtime();
    measure(cell.result);
    cell.elapsed += PMPI_Wtime() - begin;
    PMPI_Bcast(&cell.elapsed, 1, MPI_DOUBLE, 0, comm_);
    const Row* const native = cell.result.native();
    const bool enough = native == nullptr || !regret_ || native->passes.size() >= least_passes;
    cell.done = !cell.result.failure.empty() || passes == 1 || (cell.elapsed >= budget && enough) ||
                cell.result.is_precise(passes, effort_.precision);
    cell.share = cell.done ? 1 : cell.elapsed / budget;
    if (output_) output_->add(cell);
  }

  /// Of many rules that hold some seem violated, by intervals of 95 %: those are measured again
  /// with other buffers, and count if they are violated each time.
  void judge(const Guideline& rule) {
    constexpr int looks = is_simulated ? 1 : 3;
    if (output_)
      output_->next(fmt::format("{} {}", rule.describe(), format_bytes(rule.left.bytes)));
    std::vector<Judgement> judgements;
    int doubtful = 1;
    for (int look = 0; look < looks && doubtful; ++look) {
      std::vector<Judgement> found = look_at(rule);
      if (output_) {
        if (look == 0) judgements = found;
        for (std::size_t i = 0; i < found.size(); ++i)
          if (!found[i].is_violated()) judgements[i] = found[i];
        doubtful =
            std::any_of(judgements.begin(), judgements.end(), std::mem_fn(&Judgement::is_violated));
      }
      PMPI_Bcast(&doubtful, 1, MPI_INT, 0, comm_);
    }
    if (output_) output_->add(std::move(judgements));
  }

 private:
  /// What both sides of a rule take, the MPI's own and Tutti's; known on rank 0.
  std::vector<Judgement> look_at(const Guideline& rule) {
    CellCall left(comm_, rule.left);
    std::vector<std::unique_ptr<CellCall>> right;
    for (const Cell& cell : rule.right) right.push_back(std::make_unique<CellCall>(comm_, cell));
    std::vector<Candidate> candidates;
    for (const auto& [who, calls] :
         {std::pair{"native", &native_calls()}, {"tutti", &tutti_calls()}}) {
      candidates.push_back({who, [&left, calls = calls] { return left.call(*calls); }, true,
                            [&left] { left.refresh(); }});
      candidates.push_back({who,
                            [&right, calls = calls] {
                              int error = MPI_SUCCESS;
                              for (const auto& each : right)
                                error = std::max(error, each->call(*calls));
                              return error;
                            },
                            true,
                            [&right] {
                              for (const auto& each : right) each->refresh();
                            }});
    }
    const auto samples =
        stopwatch_.measure(candidates, effort_, start_of(options_, rule.left.collective));
    std::vector<Judgement> judgements;
    for (std::size_t i = 0; output_ && i < candidates.size(); i += 2)
      judgements.push_back({rule, candidates[i].name, median_of(samples[i]),
                            median_of(samples[i + 1]),
                            median_of(ratios(samples[i], samples[i + 1]))});
    return judgements;
  }

  /// New buffers, every candidate that is not hopeless. The first pass finds out which there are,
  /// and whether they are right.
  void measure(CellResult& result) {
    const bool first = result.rows.empty();
    if (first) result.failure = memory_.lack_for_native(result.cell);
    if (!result.failure.empty()) return;
    CellCall cell_call(comm_, result.cell);
    std::vector<char> expected;
    std::vector<double> own;
    if (first && !find_rows(cell_call, result, expected, own)) return;
    std::vector<Candidate> candidates;
    std::vector<std::size_t> rows;
    for (std::size_t i = own.empty() ? 0 : 1; i < result.rows.size(); ++i) {
      const Row& row = result.rows[i];
      if (!result.goes_on(row)) continue;
      rows.push_back(i);
      const bool is_native = i == 0, is_named = !is_native && row.taken.empty();
      candidates.push_back(candidate_for(cell_call, row.algorithm,
                                         is_named ? number_of(row.algorithm) : 0,
                                         is_native || row.chosen));
      if (checks_while_timed && first && !is_native)
        check(candidates.back(), cell_call, expected, result.rows[i]);
    }
    std::vector<std::vector<double>> samples, of_rows(result.rows.size());
    if (!candidates.empty())
      samples = stopwatch_.measure(candidates, effort_, start_of(options_, result.cell.collective));
    if (checks_while_timed && first)
      for (Row& row : result.rows) row.correct = all_agree(row.correct);
    of_rows.front() = std::move(own);
    for (std::size_t i = 0; i < rows.size(); ++i) of_rows[rows[i]] = std::move(samples[i]);
    result.add_pass(of_rows);
    result.evaluate();
  }

  /// In a simulation to compare takes no time, and to call once more takes long.
  static constexpr bool checks_while_timed = is_simulated;

  /// It takes as long every time, too, so that the MPI's own runs once; but regret of several
  /// samples has two halves.
  bool own_runs_once() const {
    return is_simulated && passes_of(options_) == 1 &&
           (effort_.repetitions == 1 || (as_chosen_ && !regret_));
  }

  /// What the MPI's own gives; timed, if it is to run only once.
  std::vector<char> run_own(CellCall& cell_call, Collective collective,
                            std::vector<double>& seconds) {
    if (!own_runs_once()) return run_once(comm_, cell_call, native_calls(), 0);
    Candidate own = candidate_for(cell_call, "native", 0, true);
    own.prepare = [&cell_call] { cell_call.fill(); };
    Effort once = effort_;
    once.repetitions = 1;
    seconds = stopwatch_.measure({own}, once, start_of(options_, collective)).front();
    return cell_call.result();
  }

  /// Every call with fresh data, its result held against what is expected.
  static void check(Candidate& candidate, CellCall& cell_call, const std::vector<char>& expected,
                    Row& row) {
    candidate.prepare = [&cell_call] { cell_call.fill(); };
    candidate.call = [call = std::move(candidate.call), &cell_call, &expected, &row] {
      const int error = call();
      row.correct = row.correct && cell_call.result() == expected;
      return error;
    };
  }

  /// The MPI's own, what it gives and its time, and Tutti's algorithms with their results held
  /// against it; false if the MPI's own fails: not ours to mend, and no reason to lose the rest.
  bool find_rows(CellCall& cell_call, CellResult& result, std::vector<char>& expected,
                 std::vector<double>& own) {
    const Cell& cell = result.cell;
    const auto is_correct = [&](int number) {
      return checks_while_timed ||
             all_agree(run_once(comm_, cell_call, tutti_calls(), number) == expected);
    };
    try {
      expected = run_own(cell_call, cell.collective, own);
    } catch (const std::runtime_error& error) {
      result.failure = fmt::format("the MPI's own fails: {}", error.what());
      return false;
    }
    result.rows.push_back({.algorithm = "native"});
    const bool native_alone =
        !plan_.flat && !plan_.node_aware && plan_.algorithms.empty() && !as_chosen_;
    const Algorithm* const chosen = native_alone ? nullptr : chosen_for(cell_call, cell);
    Problem problem = cell.problem();
    problem.topology = topology_;
    if (as_chosen_) {
      Row row{.algorithm = "chosen", .chosen = true};
      row.taken = chosen == nullptr ? "native" : chosen->full_name();
      row.correct = is_correct(0);
      result.rows.push_back(std::move(row));
    }
    for (const std::string& text : names_for(problem, cell, chosen)) {
      const Request request = parse_request(text);
      Row row{.algorithm = text, .unmet = unmet(request, problem)};
      if (row.unmet.empty()) row.unmet = memory_.lack_for(*request.algorithm, cell);
      row.chosen = !as_chosen_ && request.algorithm == chosen && request.parameters.empty();
      if (row.unmet.empty()) row.correct = is_correct(number_of(text));
      result.rows.push_back(std::move(row));
    }
    return true;
  }

  /// Why an algorithm cannot run, or not with these parameters; empty if it can.
  std::string unmet(const Request& request, const Problem& problem) const {
    std::string why = request.algorithm->unmet(problem, request.parameters);
    try {
      if (why.empty()) request.algorithm->resolve(problem, line_, request.parameters);
    } catch (const std::invalid_argument& error) {
      why = fmt::format("cannot run: {}", error.what());
    }
    return why;
  }

  /// What Tutti takes when nobody asks: the algorithm whose count grows.
  const Algorithm* chosen_for(CellCall& cell_call, const Cell& cell) {
    const std::string collective(name_of(cell.collective));
    const auto count = [&](const Algorithm* algorithm) {
      unsigned long long calls = 0;
      tutti_count(collective.c_str(), std::string(algorithm->name).c_str(), &calls);
      return calls;
    };
    const auto list = algorithms_of(cell.collective);
    std::vector<unsigned long long> before;
    for (const Algorithm* each : list) before.push_back(count(each));
    run_once(comm_, cell_call, tutti_calls(), 0);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (count(list[i]) > before[i]) return list[i];
    return nullptr;
  }

  /// Of all algorithms those that can run; whichever is named.
  std::vector<std::string> names_for(const Problem& problem, const Cell& cell,
                                     const Algorithm* chosen) const {
    std::vector<std::string> names;
    if (plan_.flat) {
      const auto predictions = predict(cell.collective, cell.p, cell.bytes, line_, true, cell.root);
      for (const Prediction& each : predictions)
        if (each.valid() && (within_ == 0 || cell.distribution != Distribution::regular ||
                             each.seconds <= within_ * predictions.front().seconds))
          names.push_back(each.algorithm->full_name());
    }
    if (plan_.node_aware && has_several_nodes(*topology_))
      for (const Algorithm* each : algorithms_of(cell.collective))
        if (each->node_aware && each->unmet(problem).empty()) names.push_back(each->full_name());
    const auto add = [&](const std::string& text) {
      if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
    };
    if (within_ > 0 && chosen != nullptr) add(chosen->full_name());
    for (const std::string& text : plan_.algorithms)
      if (parse_request(text).algorithm->collective == cell.collective) add(text);
    return names;
  }

  bool all_agree(bool mine) const {
    int yes = mine, all = 0;
    PMPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, comm_);
    return all != 0;
  }

  const MPI_Comm comm_;
  Stopwatch stopwatch_;
  const BenchOptions& options_;
  const Effort effort_;
  const Rates line_;
  const BenchPlan& plan_;
  const double within_;   // 0: all
  const bool regret_;     // the best is found on one half and scored on the other
  const bool as_chosen_;  // what is chosen has a row of its own
  Output* const output_;  // null but on rank 0
  const std::shared_ptr<const Topology> topology_;
  const MemoryLimit memory_;
};

std::string_view describe(Stopwatch::Start start) {
  switch (start) {
    case Stopwatch::Start::barrier: return "MPI_Barrier before every call; each rank's own time";
    case Stopwatch::Start::clock: return "an agreed time on compared clocks, after a barrier";
    case Stopwatch::Start::row: break;
  }
  return "MPI_Barrier before a row of calls, data written anew before each; a rank's time of all "
         "that, over their number";
}

Json method_of(const BenchOptions& options, const Grid& grid) {
  const auto start = [&](Collective of) { return describe(start_of(options, of)); };
  return {
      {"start", start(Collective::bcast)},
      {"start_of_barriers", start(Collective::barrier)},
      {"time", "slowest rank"},
      {"order", "candidates take turns; each follows every other about equally often"},
      {"passes", passes_of(options)},
      {"interval",
       fmt::format("95 %, by order statistics, no sample left out; of the median, from {} passes "
                   "on of the median of another run's passes",
                   enough_passes)},
      {"precision_percent", options.precision},
      {"budget_s", grid.budget},
      {"repetitions", options.repetitions}};
}

Json line_of(const Rates& rates, const std::string& source) {
  return {
      {"alpha_us", rates.alpha * 1e6}, {"beta_ns_per_byte", rates.beta * 1e9}, {"source", source}};
}

std::string headline(const Json& head, const Json& line) {
  return fmt::format(
      "{} ranks on {} host{}, {}; {}; slowest rank, median, 95 % interval\n"
      "line for the bound: {:.2f} us, {:.3g} MB/s ({})\n\n",
      head["ranks"].get<int>(), head["layout"].size(), head["layout"].size() == 1 ? "" : "s",
      head["mpi"].get<std::string>(), head["method"]["start"].get<std::string>(),
      line["alpha_us"].get<double>(),
      line["beta_ns_per_byte"].get<double>() > 0 ? 1e3 / line["beta_ns_per_byte"].get<double>()
                                                 : 0.0,
      line["source"].get<std::string>());
}

/// The geometric means, over all cells.
std::string summary(const std::vector<Passes>& cells) {
  std::vector<double> chosen, best;
  std::size_t wrong = 0, losses = 0, gaps = 0;
  for (const Passes& cell : cells) {
    const CellResult& each = cell.result;
    if (each.chosen() && each.chosen()->speed_up.value > 0)
      chosen.push_back(each.chosen()->speed_up.value);
    if (const Row* row = each.best(); row && row->speed_up.value > 0) {
      best.push_back(row->speed_up.value);
      losses += row->speed_up.high < 1;
    }
    for (const Row& row : each.rows) wrong += !row.correct, gaps += !row.unmet.empty();
  }
  return fmt::format(
      "\n{} cells; speed-up over the MPI's own, geometric mean: chosen {:.2f}, best {:.2f}; cells "
      "where the MPI's own is faster than all, beyond noise: {}; {}wrong results: {}\n",
      cells.size(), geometric_mean(chosen), geometric_mean(best), losses,
      gaps == 0 ? "" : fmt::format("algorithms that could not run: {}; ", gaps), wrong);
}

int report_guidelines(Output& output) {
  std::string text = fmt::format("{:<8} {:<52} {:>5} {:>5} {:>9} {:>9} {:>6}\n", "who", "rule",
                                 "ranks", "bytes", "left", "right", "factor");
  std::map<std::string, std::pair<int, int>> counts;
  for (const Judgement& each : output.judgements()) {
    auto& [violated, all] = counts[each.who];
    ++all;
    if (!each.is_violated()) continue;
    ++violated;
    text += table_line(each);
  }
  for (const auto& [who, count] : counts)
    text += fmt::format("{}: {} of {} rules violated\n", who, count.first, count.second);
  output.table(text);
  const auto& [violated, all] = counts["tutti"];
  return violated > 0 ? findings : fine;
}

int report_cells(Output& output, bool regret) {
  output.show_rest();
  output.table(regret ? regret_text(summary_of(results_of(output.cells())))
                      : summary(output.cells()));
  for (const Passes& each : output.cells())
    for (const Row& row : each.result.rows)
      if (!row.correct) return findings;
  return fine;
}

}  // namespace

int run_bench(const BenchOptions& options, int argc, char** argv) {
  const BenchPlan plan = plan_of(options);
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int> ps = plan.p.empty() ? std::vector{ranks} : plan.p;
  for (const int p : ps) {
    if (p > ranks)
      throw std::invalid_argument(
          fmt::format("-p {}: the launcher started {} rank{}: write mpirun -n {} (Open MPI: "
                      "--oversubscribe, if there are fewer cores)",
                      p, ranks, ranks == 1 ? "" : "s", p));
    if (options.root >= p)
      throw std::invalid_argument(
          fmt::format("--root {}: of {} ranks: write 0 to {}", options.root, p, p - 1));
  }
  if (options.kind == "node" && !has_several_nodes(*topology_seen(MPI_COMM_WORLD)))
    throw std::invalid_argument(
        "--algorithms node: there are not several nodes with several ranks: start more, or pretend "
        "them with TUTTI_TOPOLOGY (2x2)");
#ifndef TUTTI_SIMULATED  // there all ranks are one process, which may as well end at once
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { interrupt(); });
#endif

  const Effort effort{options.precision / 100,
                      plan.grid.budget / static_cast<double>(passes_of(options)),
                      options.repetitions};
  Json head = provenance(MPI_COMM_WORLD, argc, argv);
  head["method"] = method_of(options, plan.grid);
  const Rates line = plan.profile ? plan.profile->rates : measure_line(MPI_COMM_WORLD);
  head["line"] = line_of(line, plan.profile ? plan.profile->name : "measured: shifts along a ring");

  const std::size_t passes = passes_of(options);
  std::size_t total = 0, number = 0;
  for (const int p : ps)
    total += options.guidelines ? guidelines(p, plan.grid.sizes).size()
                                : cells_of(plan.grid, p, options.root).size();
  std::unique_ptr<Output> output;
  // Only rank 0 can fail to write: all must hear of it.
  int bad = 0;
  std::string why;
  const auto try_on_first = [&](auto&& work) {
    try {
      if (rank == 0) work();
    } catch (const std::exception& error) {
      why = error.what();
      bad = 1;
    }
    PMPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (bad) throw std::runtime_error(why);
  };
  try_on_first([&] {
    output = std::make_unique<Output>(options, head, total);
    output->table(headline(head, head["line"]));
    if (!options.guidelines && !options.all)
      output->table(options.regret ? regret_head() : table_head());
  });

  for (const int p : ps) {
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comm);
    int stop = 0;
    if (comm != MPI_COMM_NULL) {
      PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
      Bench bench(comm, effort, line, plan, options, output.get());
      const auto each = [&](auto&& list, auto&& work) {
        for (auto& one : list) {
          try {
            work(one);
          } catch (const std::exception& error) {
            why = error.what();
            bad = 1;
          }
          // Ranks end together: when one was interrupted, or could not write.
          int mine = is_interrupted() || bad;
          PMPI_Allreduce(&mine, &stop, 1, MPI_INT, MPI_MAX, comm);
          if (stop) return;
        }
      };
      if (options.guidelines)
        each(guidelines(p, plan.grid.sizes), [&](const Guideline& rule) { bench.judge(rule); });
      std::vector<Passes> cells;
      if (!options.guidelines)
        for (const Cell& cell : cells_of(plan.grid, p, options.root))
          cells.push_back({{cell, lower_bound(cell.problem(), line), {}, {}}, number++});
      while (!stop && !std::all_of(cells.begin(), cells.end(), std::mem_fn(&Passes::done)))
        each(cells, [&](Passes& cell) {
          if (!cell.done) bench.pass(cell, passes, plan.grid.budget);
        });
      PMPI_Comm_free(&comm);
    }
    meet_asleep(MPI_COMM_WORLD);
    PMPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (stop) break;
  }
  int status = fine, interrupted_all = 0, mine = is_interrupted();
  PMPI_Allreduce(&mine, &interrupted_all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int any_bad = 0;
  PMPI_Allreduce(&bad, &any_bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any_bad) throw std::runtime_error(why.empty() ? "another rank failed" : why);
  try_on_first([&] {
    status =
        options.guidelines ? report_guidelines(*output) : report_cells(*output, options.regret);
    output->end(!interrupted_all);
  });
  PMPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (interrupted_all && rank == 0)
    std::cerr << fmt::format("tutti: interrupted: {} of {} measured{}\n",
                             output->cells().size() + output->judgements().size() / 2, total,
                             options.file.empty() ? "" : ", written to " + options.file);
  return interrupted_all ? interrupted_status : status;
}

}  // namespace tutti::core::cli
