// The words of tutti tune, and what goes together with what.

#include "cli/tune_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "cli/commands.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/environment.hpp"
#include "select/profiles.hpp"

namespace tutti::core::cli {

namespace {

/// What `--show` without a file becomes.
constexpr const char* on_terminal = "-";

/// Where programs look for the user's profile.
std::string usual_file() {
  const auto folder = folder_of(in_environment, "XDG_CONFIG_HOME", ".config");
  if (!folder.empty()) return folder / "profile.json";
  throw std::invalid_argument("neither XDG_CONFIG_HOME nor HOME is set: write -o FILE");
}

}  // namespace

double parse_seconds(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const double factor = unit == "ms"                  ? 1e-3
                        : unit == "s" || unit.empty() ? 1
                        : unit == "m"                 ? 60
                                                      : 0;
  if (error != std::errc{} || factor == 0 || !(number > 0) || number * factor > 86400)
    throw std::invalid_argument(fmt::format(
        "'{}' is no time: write a number with ms, s or m, up to a day (30s, 2m)", text));
  return number * factor;
}

CLI::App* add_tune_options(CLI::App& app, TuneOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "tune", "Measure this machine and its MPI, and keep what Tutti chooses by: a profile.");
  verb->add_option("-o", options.file,
                   "Write the profile to this file (default: $XDG_CONFIG_HOME/tutti/profile.json, "
                   "or ~/.config/tutti/profile.json, where programs find it)");
  verb->add_option("--budget", options.budget, "About how long it may take: 500ms, 30s, 2m")
      ->capture_default_str();
  verb->add_flag("--rates-only", options.rates_only,
                 "Only latencies, bandwidths and the like, with all of the budget");
  verb->add_option("--collectives", options.collectives,
                   "Decide on these only, commas between (default: all)");
  verb->add_option("-n", options.sizes,
                   "Decide by these sizes, as in tutti bench (default: 8 bytes to 16M)");
  verb->add_option("-p", options.p, "Decide for the first p ranks: one or several (default: all)");
  verb->add_option("--mesh", options.mesh,
                   "How the nodes are joined, which no measurement finds: ROWSxCOLUMNS, or "
                   "torus:AxBxC (default: all equally near)");
  verb->add_flag("--exhaustive", options.exhaustive,
                 "Measure every algorithm at every size, whatever the model says and however long "
                 "it takes: to check the decisions");
  verb->add_option("--show", options.show,
                   "Draw what was measured and the lines through it, on the terminal or as SVG "
                   "into a file: --show FILE.svg")
      ->expected(0, 1)
      ->default_str(on_terminal);
  verb->add_flag("--json", options.json, "Print the profile and all points as JSON");
  verb->add_option("--mpi", options.mpi, "openmpi or mpich, if the launcher does not tell")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  set_examples(*verb, {"mpirun -n 4 tutti tune", "mpirun -n 4 tutti tune --budget 10s --show",
                       "mpirun -n 2 tutti tune --rates-only -o machine.json --show curves.svg",
                       "mpirun -n 8 tutti tune --collectives allreduce,bcast -p 4,8 -o some.json",
                       "mpirun -n 4 tutti tune --rates-only --json -o /dev/null"});
  verb->footer(
      "Start it as the programs are started that it is for: on as many nodes, with as many ranks "
      "on each.\n"
      "Two nodes give the network, two ranks on a node what they take there, several on two nodes "
      "what\n"
      "they get out of a node's interface. The file is written when all is measured, in one go: "
      "before\n"
      "that, and after Ctrl-C, the old one stays.\n"
      "Exit codes: 0 fine, 2 bad input or output that cannot be written, 130 interrupted.\n\n" +
      verb->get_footer());
  return verb;
}

TunePlan plan_of(const TuneOptions& options) {
  TunePlan plan;
  plan.usual = options.file.empty();
  plan.file = plan.usual ? usual_file() : options.file;
  try {
    plan.budget = parse_seconds(options.budget);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--budget: {}", error.what()));
  }
  if (!options.collectives.empty())
    plan.collectives = parse_list(options.collectives, parse_collective);
  if (!options.sizes.empty()) plan.sizes = parse_list(options.sizes, parse_bytes);
  std::sort(plan.sizes.begin(), plan.sizes.end());
  plan.sizes.erase(std::unique(plan.sizes.begin(), plan.sizes.end()), plan.sizes.end());
  if (!options.p.empty()) plan.p = parse_list(options.p, parse_p);
  if (!options.mesh.empty()) plan.mesh = parse_mesh(options.mesh);
  if (options.rates_only &&
      (options.exhaustive || !plan.collectives.empty() || !plan.sizes.empty() || !plan.p.empty()))
    throw std::invalid_argument(
        "--rates-only: nothing is decided then: leave --exhaustive, --collectives, -n and -p out");
  plan.shows = !options.show.empty();
  if (options.show != on_terminal) plan.picture = options.show;
  if (!plan.picture.empty() && !plan.picture.ends_with(".svg"))
    throw std::invalid_argument(
        fmt::format("--show: '{}' is no SVG: write a name that ends in .svg", plan.picture));
  if (options.json && plan.shows && plan.picture.empty())
    throw std::invalid_argument("--json: --show draws on the terminal: write --show FILE.svg");
  return plan;
}

}  // namespace tutti::core::cli
