// The verb tutti bench: the MPI's own collectives and Tutti's algorithms side by side.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/process/tuning.hpp"
#include "cli/commands.hpp"
#include "cli/mpi/bench_output.hpp"
#include "cli/mpi/ending.hpp"
#include "cli/mpi/verbs.hpp"
#include "measure/regret.hpp"
#include "model/bounds.hpp"
#include "schedule/bytes.hpp"
#include "timing/comparison.hpp"
#include "timing/provenance.hpp"
#include "timing/simulated.hpp"
#include "tune/mpi/network.hpp"

namespace tutti::core::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Of a cell whose halves are compared, whatever the budget says.
constexpr std::size_t least_passes = 4;

/// What was asked for; none: as is usual.
std::optional<Stopwatch::Start> start_of(const BenchOptions& options) {
  if (options.start == "barrier") return Stopwatch::Start::barrier;
  if (options.start == "clock") return Stopwatch::Start::clock;
  if (options.start == "row") return Stopwatch::Start::row;
  return std::nullopt;
}

/// A simulation gives the same every time, and a fixed number of repetitions is what was asked for.
std::size_t passes_of(const BenchOptions& options) {
  if (options.passes > 0) return static_cast<std::size_t>(options.passes);
  return is_simulated || options.repetitions > 0 || options.guidelines ? 1 : enough_passes;
}

Comparison comparison_of(const BenchOptions& options, const BenchPlan& plan, const Rates& line) {
  const auto passes = passes_of(options);
  return {.algorithms = plan.algorithms,
          .flat = plan.flat,
          .node_aware = plan.node_aware,
          .within = options.within,
          .regret = options.regret,
          .as_chosen = options.regret || options.kind == "chosen",
          .line = line,
          .effort = {options.precision / 100, plan.grid.budget / static_cast<double>(passes),
                     options.repetitions},
          .start = start_of(options),
          .passes = passes};
}

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
  const auto start = [&](Collective of) {
    return describe(start_of(options).value_or(usual_start(of)));
  };
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
    if (const ResultRow* row = each.best(); row && row->speed_up.value > 0) {
      best.push_back(row->speed_up.value);
      losses += row->speed_up.high < 1;
    }
    for (const ResultRow& row : each.rows) wrong += !row.correct, gaps += !row.unmet.empty();
  }
  return fmt::format(
      "\n{} cells; speed-up over the MPI's own, geometric mean: chosen {:.2f}, best {:.2f}; cells "
      "where the MPI's own is faster than all, beyond noise: {}; {}wrong results: {}\n",
      cells.size(), geometric_mean(chosen), geometric_mean(best), losses,
      gaps == 0 ? "" : fmt::format("algorithms that could not run: {}; ", gaps), wrong);
}

int report_guidelines(BenchOutput& output) {
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

int report_cells(BenchOutput& output, bool regret) {
  output.show_rest();
  output.table(regret ? regret_text(summary_of(results_of(output.cells())))
                      : summary(output.cells()));
  for (const Passes& each : output.cells())
    for (const ResultRow& row : each.result.rows)
      if (!row.correct) return findings;
  return fine;
}

/// The command's words that do not fit the ranks there are.
void check(const BenchOptions& options, const std::vector<int>& ps, int ranks) {
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
}

/// The work on so many ranks, all of which come here. Rank 0 has the output.
class Work {
 public:
  Work(MPI_Comm comm, const BenchOptions& options, const BenchPlan& plan, const Rates& line,
       BenchOutput* output, Trouble& trouble)
      : comm_(comm),
        options_(options),
        plan_(plan),
        how_(comparison_of(options, plan, line)),
        bench_(comm, how_),
        output_(output),
        trouble_(trouble) {}

  /// `number`: of the first cell, in the grid; then that of the one after the last. Whether all
  /// have to stop.
  bool run(int p, std::size_t& number) {
    if (options_.guidelines)
      each(guidelines(p, plan_.grid.sizes), [&](const Guideline& rule) { judge(rule); });
    std::vector<Passes> cells;
    if (!options_.guidelines)
      for (const Cell& cell : cells_of(plan_.grid, p, options_.root))
        cells.push_back({{cell, lower_bound(cell.problem(), how_.line), {}, {}}, number++});
    while (!stop_ && !std::all_of(cells.begin(), cells.end(), std::mem_fn(&Passes::done)))
      each(cells, [&](Passes& cell) {
        if (!cell.done) pass(cell);
      });
    return stop_ != 0;
  }

 private:
  template <class List, class Job>
  void each(List&& list, Job&& job) {
    for (auto& one : list) {
      trouble_.attempt([&] { job(one); });
      // Ranks end together: when one was interrupted, or could not write.
      int mine = is_interrupted() || trouble_.bad;
      PMPI_Allreduce(&mine, &stop_, 1, MPI_INT, MPI_MAX, comm_);
      if (stop_) return;
    }
  }

  /// Another pass over a cell. It is done when it is precise, and when its time is over.
  void pass(Passes& cell) {
    if (output_) output_->next(cell.result.cell.describe());
    const double begin = PMPI_Wtime(), budget = plan_.grid.budget;
    bench_.measure(cell.result);
    cell.elapsed += PMPI_Wtime() - begin;
    PMPI_Bcast(&cell.elapsed, 1, MPI_DOUBLE, 0, comm_);
    const ResultRow* const native = cell.result.native();
    const bool enough =
        native == nullptr || !options_.regret || native->passes.size() >= least_passes;
    cell.done = !cell.result.failure.empty() || how_.passes == 1 ||
                (cell.elapsed >= budget && enough) ||
                cell.result.is_precise(how_.passes, how_.effort.precision);
    cell.share = cell.done ? 1 : cell.elapsed / budget;
    if (output_) output_->add(cell);
  }

  void judge(const Guideline& rule) {
    if (output_)
      output_->next(fmt::format("{} {}", rule.describe(), format_bytes(rule.left.bytes)));
    const std::vector<Judgement> judgements = bench_.judge(rule);
    if (output_) output_->add(judgements);
  }

  const MPI_Comm comm_;
  const BenchOptions& options_;
  const BenchPlan& plan_;
  const Comparison how_;
  CellBench bench_;
  BenchOutput* const output_;  // null but on rank 0
  Trouble& trouble_;
  int stop_ = 0;
};

Json head_of(const BenchOptions& options, const BenchPlan& plan, const Rates& line, int argc,
             char** argv) {
  Json head = provenance(MPI_COMM_WORLD, argc, argv);
  head["method"] = method_of(options, plan.grid);
  head["line"] = line_of(line, plan.profile ? plan.profile->name : "measured: shifts along a ring");
  return head;
}

bool any(int mine) {
  int all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return all != 0;
}

}  // namespace

int run_bench(const BenchOptions& options, int argc, char** argv) {
  const BenchPlan plan = plan_of(options);
  tutti_tune_settings({});
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int> ps = plan.p.empty() ? std::vector{ranks} : plan.p;
  check(options, ps, ranks);
  end_on_signals();
  const Rates line = plan.profile ? plan.profile->rates : quick_rates(MPI_COMM_WORLD);
  const Json head = head_of(options, plan, line, argc, argv);

  std::size_t total = 0, number = 0;
  for (const int p : ps)
    total += options.guidelines ? guidelines(p, plan.grid.sizes).size()
                                : cells_of(plan.grid, p, options.root).size();
  std::unique_ptr<BenchOutput> output;
  Trouble trouble;
  trouble.attempt_on_first(rank, [&] {
    output = std::make_unique<BenchOutput>(options, head, total);
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
      stop = Work(comm, options, plan, line, output.get(), trouble).run(p, number);
      PMPI_Comm_free(&comm);
    }
    meet_asleep(MPI_COMM_WORLD);
    PMPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (stop) break;
  }
  const bool interrupted = any(is_interrupted());
  if (any(trouble.bad))
    throw std::runtime_error(trouble.why.empty() ? "another rank failed" : trouble.why);
  int status = fine;
  trouble.attempt_on_first(rank, [&] {
    status =
        options.guidelines ? report_guidelines(*output) : report_cells(*output, options.regret);
    output->end(!interrupted);
  });
  PMPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (interrupted && rank == 0)
    std::cerr << fmt::format("tutti: interrupted: {} of {} measured{}\n",
                             output->cells().size() + output->judgements().size() / 2, total,
                             options.file.empty() ? "" : ", written to " + options.file);
  return interrupted ? interrupted_status : status;
}

}  // namespace tutti::core::cli
