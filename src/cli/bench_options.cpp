// The words of tutti bench, and what goes together with what.

#include "cli/bench_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/commands.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core::cli {

namespace {

/// Which cells, and which algorithms in them.
void add_what(CLI::App& verb, BenchOptions& options) {
  verb.add_option("--grid", options.grid, "What to measure: quick, standard or full")
      ->check(CLI::IsMember({"quick", "standard", "full"}))
      ->capture_default_str();
  verb.add_option("--collectives", options.collectives, "Only these, commas between");
  verb.add_option("-n", options.sizes,
                  "Bytes of all blocks, or of the vector (all-to-all: that a rank sends), K, M, G: "
                  "one or several");
  verb.add_option("-p", options.p, "The first p ranks: one or several (default: all)");
  verb.add_option("--algorithm", options.algorithms,
                  "Only these and native (with --within: these, too): "
                  "COLLECTIVE/ALGORITHM[:parameter=value,...], or native "
                  "alone. May be repeated")
      ->allow_extra_args(false);
  verb.add_option("--algorithms", options.kind,
                  "Of all algorithms only those of a kind: flat, node (compositions over nodes), "
                  "or all; compositions where several nodes hold several ranks. chosen: only "
                  "what Tutti takes when nobody asks")
      ->check(CLI::IsMember({"flat", "node", "all", "chosen"}))
      ->capture_default_str();
  verb.add_option("--within", options.within,
                  "Only algorithms that --profile predicts to take at most so many times what the "
                  "best takes, the chosen one, and those of --algorithm; of unequal blocks all; "
                  "flat ones only")
      ->check(CLI::Range(1.0, 1e9));
  verb.add_option("--distributions", options.distributions,
                  "For irregular collectives: regular, broadcast, spike, half_full, decreasing, "
                  "geometric, or all");
  verb.add_option("--types", options.types,
                  "Elements: usual (doubles to reduce, else bytes), byte, int, float, double, "
                  "strided");
  verb.add_option("--root", options.root, "Of rooted collectives")->check(CLI::NonNegativeNumber);
}

/// How they are measured, and what is asked of the times.
void add_how(CLI::App& verb, BenchOptions& options) {
  verb.add_flag("--guidelines", options.guidelines,
                "Check rules of self-consistency instead, such as allreduce <= reduce + bcast");
  verb.add_flag("--regret", options.regret,
                "What Tutti takes when nobody asks, over the best of all algorithms and the MPI's "
                "own; the best is found on one half of the samples and scored on the other");
  verb.add_option("--precision", options.precision,
                  "Stop a cell when half of each interval is below so many percent; with several "
                  "passes: of the speed-ups' intervals")
      ->check(CLI::Range(0.01, 100.0))
      ->capture_default_str();
  verb.add_option("--budget", options.budget,
                  "Stop a cell after so many seconds (default: the grid's)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--repetitions", options.repetitions,
                  "Exactly so many in a pass, whatever precision and budget say")
      ->check(CLI::PositiveNumber);
  verb.add_option("--passes", options.passes,
                  "At least so many over the grid, with new buffers each, or one; ten or more give "
                  "intervals that hold another run (default: 10; in a simulation, and with "
                  "--repetitions, 1)")
      ->check(CLI::Range(1, 1000));
  verb.add_option("--start", options.start,
                  "How a sample starts: barrier before every call, clock (at an agreed time, on "
                  "clocks that were compared), or row (a barrier before a row of calls, as a loop "
                  "makes them). Default: barrier, of barriers row; in a simulation clock")
      ->check(CLI::IsMember({"barrier", "clock", "row"}));
}

}  // namespace

CLI::App* add_bench_options(CLI::App& app, BenchOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "bench", "Measure the MPI's own collectives and Tutti's algorithms side by side.");
  add_what(*verb, options);
  add_how(*verb, options);
  verb->add_option("--profile", options.profile,
                   "The machine that the lower bound is for (default: measured at the start)");
  verb->add_flag("--all", options.all, "Print every algorithm, not only the chosen and the best");
  verb->add_option("-o", options.file, "Write the results to this file, as JSON");
  CLI::Option* json = verb->add_flag("--json", options.json, "Print JSON instead of the table");
  verb->add_flag("--csv", options.csv, "CSV instead of JSON, or of the table")->excludes(json);
  verb->add_flag("--samples", options.samples, "All samples in the JSON");
  verb->add_option("--mpi", options.mpi, "openmpi or mpich, if the launcher does not tell")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  set_examples(
      *verb, {"mpirun -n 4 tutti bench", "mpirun -n 8 tutti bench --grid standard -o results.json",
              "mpirun -n 8 tutti bench --collectives allreduce,bcast -n 8,1K,1M -p 4,7,8 --all",
              "mpirun -n 4 tutti bench --collectives bcast --algorithm bcast/chain:segment=16K "
              "--algorithm bcast/chain:segment=64K",
              "mpirun -n 4 env TUTTI_TOPOLOGY=2x2 tutti bench --algorithms node --all",
              "mpirun -n 4 tutti bench --guidelines",
              "mpirun -n 4 env TUTTI_PROFILE=here.json tutti bench --regret -o regret.json"});
  verb->footer(
      "Every repetition runs each candidate once, in an order that changes, so that noise hits "
      "all\n"
      "alike. A time is that of the slowest rank. Passes go over the whole grid; shown are "
      "medians\n"
      "with the interval that holds another run in 95 of 100 cases, and the speed-up over the "
      "MPI's\n"
      "own call by call. No sample is thrown away. A candidate that is clearly slower than the "
      "best\n"
      "is left out. Interrupted, it keeps what it has.\n"
      "Exit codes: 0 fine, 1 a wrong result or a violated guideline, 2 bad input or output that\n"
      "cannot be written, 130 interrupted.\n\n" +
      verb->get_footer());
  return verb;
}

BenchPlan plan_of(const BenchOptions& options) {
  const bool all = options.algorithms.empty() || options.within > 0;
  BenchPlan plan{grid_named(options.grid),
                 {},
                 {},
                 all && (options.kind == "flat" || options.kind == "all"),
                 all && (options.kind == "node" || (options.kind == "all" && options.within == 0)),
                 {}};
  Grid& grid = plan.grid;
  if (!options.collectives.empty())
    grid.collectives = parse_list(options.collectives, parse_collective);
  if (!options.sizes.empty()) grid.sizes = parse_list(options.sizes, parse_bytes);
  if (options.distributions == "all")
    grid.distributions.assign(std::begin(all_distributions), std::end(all_distributions));
  else if (!options.distributions.empty())
    grid.distributions = parse_list(options.distributions, parse_distribution);
  if (!options.types.empty()) grid.elements = parse_list(options.types, parse_element);
  if (options.budget > 0) grid.budget = options.budget;
  if (!options.p.empty()) plan.p = parse_list(options.p, parse_p);
  if (!options.profile.empty()) plan.profile = find_profile(options.profile);
  for (const std::string& text : options.algorithms) {
    if (text == "native") continue;  // is always there
    const Request request = parse_request(text);
    plan.algorithms.push_back(text);
    if (std::find(grid.collectives.begin(), grid.collectives.end(),
                  request.algorithm->collective) == grid.collectives.end())
      throw std::invalid_argument(fmt::format(
          "--algorithm: {} is no algorithm of {}: add {} to --collectives", text,
          options.collectives.empty() ? "the grid " + options.grid : options.collectives,
          name_of(request.algorithm->collective)));
  }
  if (options.guidelines &&
      (options.csv || options.samples || options.all || options.root > 0 || options.passes > 0))
    throw std::invalid_argument(
        "--guidelines: rules have no CSV, samples, rows, root or passes: leave --csv, --samples, "
        "--all, --root and --passes out");
  if (options.regret && (options.guidelines || options.all || !options.algorithms.empty()))
    throw std::invalid_argument(
        "--regret: all algorithms are candidates, a line for each cell: leave --guidelines, --all "
        "and --algorithm out");
  if (options.json && !options.file.empty())
    throw std::invalid_argument("--json: -o writes JSON already: leave one out");
  if (options.samples && (options.csv || (options.file.empty() && !options.json)))
    throw std::invalid_argument("--samples: only JSON holds them: write -o FILE or --json");
  if (options.within > 0 && (options.profile.empty() || options.guidelines))
    throw std::invalid_argument(
        "--within: for algorithms on a known machine: write --profile, and leave --guidelines out");
  if (options.kind != "all" && (!all || options.guidelines))
    throw std::invalid_argument(
        "--algorithms: with --algorithm only those named are measured, with --guidelines none: "
        "leave it out");
  if ((options.kind == "node" || options.kind == "chosen") && options.within > 0)
    throw std::invalid_argument("--within: is for flat algorithms: leave it or --algorithms out");
  if (options.kind == "chosen" && options.regret)
    throw std::invalid_argument(
        "--regret: needs candidates beside what is chosen: leave --algorithms chosen out");
  if (options.guidelines && (!options.collectives.empty() || !options.algorithms.empty() ||
                             !options.types.empty() || !options.distributions.empty()))
    throw std::invalid_argument(
        "--guidelines: the rules say which collectives: leave --collectives, --algorithm, --types "
        "and --distributions out");
  if (!options.guidelines && cells_of(grid, 1).empty())
    throw std::invalid_argument(fmt::format(
        "nothing to measure: {} cannot be reduced: choose another of --types, or collectives",
        options.types));
  return plan;
}

}  // namespace tutti::core::cli
