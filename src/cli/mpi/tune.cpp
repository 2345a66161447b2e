// The verb tutti tune: measures this machine and its MPI, and writes the profile that Tutti chooses
// by.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/process/tuning.hpp"
#include "cli/commands.hpp"
#include "cli/mpi/ending.hpp"
#include "cli/mpi/terminal.hpp"
#include "cli/mpi/verbs.hpp"
#include "cli/progress.hpp"
#include "draw/chart.hpp"
#include "measure/statistics.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "schedule/whole_file.hpp"
#include "select/profiles.hpp"
#include "timing/provenance.hpp"
#include "timing/stopwatch.hpp"
#include "tune/mpi/rates.hpp"
#include "tune/mpi/table.hpp"

namespace tutti::core::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// In a folder that is made if it is not there.
void write_profile(const fs::path& file, const std::string& text) {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  if (write_whole(file, text)) return;
  throw std::runtime_error(
      fmt::format("cannot write '{}': is it a file, its folder writable, and the disk not full?",
                  file.string()));
}

std::string today() {
  const std::time_t time = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&time));
  return text;
}

/// `4 ranks on 2 nodes, topology 2x2`
std::string describe(const Topology& topology) {
  return fmt::format("{} ranks on {} node{}, topology {}", topology.p(), topology.nodes(),
                     topology.nodes() == 1 ? "" : "s", topology.describe());
}

std::string source_of(const Topology& topology, const std::vector<std::string>& remarks) {
  std::string text = fmt::format("Measured by tutti tune {} on {}, {}.", TUTTI_VERSION, today(),
                                 describe(topology));
  for (const std::string& each : remarks) text += fmt::format(" Note: {}.", each);
  return text;
}

/// A line's points, near enough to be drawn; it ends where the next one begins.
Series::Points drawn(const Line& line, double from, double to) {
  Series::Points points;
  for (int i = 0; i <= 64; ++i) {
    const double bytes = from * std::pow(to / from, i / 64.0);
    if (line.at(bytes) > 0) points.emplace_back(bytes, line.at(bytes));
  }
  return points;
}

/// A chart for each level.
std::vector<Chart> charts_of(const std::vector<Curve>& curves, const std::string& where) {
  std::vector<Chart> charts;
  for (const Curve& curve : curves) {
    const std::string title = fmt::format(
        "{}: seconds by bytes, {}",
        curve.level == "network" ? "Messages between nodes" : "Messages within a node", where);
    if (charts.empty() || charts.back().title != title) charts.push_back({title, {}});
    Series series{curve.kind == "exchange" ? "exchange" : "one way", {}, {}};
    for (const Timing& each : curve.points) series.points.emplace_back(each.bytes, each.seconds);
    for (std::size_t i = 0; i < curve.stretches.size(); ++i) {
      const double first = std::max(curve.stretches[i].from, curve.points.front().bytes);
      const double last =
          i + 1 < curve.stretches.size() ? curve.stretches[i + 1].from : curve.points.back().bytes;
      series.lines.push_back(drawn(curve.stretches[i].lines[0], first, last));
    }
    charts.back().series.push_back(std::move(series));
  }
  return charts;
}

Json json_of(const Curve& curve) {
  Json points = Json::array(), stretches = Json::array();
  for (std::size_t i = 0; i < curve.points.size(); ++i)
    points.push_back({{"bytes", curve.points[i].bytes},
                      {"us", curve.points[i].seconds * 1e6},
                      {"half_width_percent", curve.half_widths[i] * 100}});
  for (const Stretch& each : curve.stretches)
    stretches.push_back({{"from", each.from},
                         {"alpha_us", each.lines[0].alpha * 1e6},
                         {"beta_ns_per_byte", each.lines[0].beta * 1e9}});
  return {{"level", curve.level}, {"kind", curve.kind}, {"points", points}, {"fit", stretches}};
}

/// What was found, for people.
class Summary {
 public:
  explicit Summary(const MeasuredRates& measured) : profile_(measured.profile) {
    const Rates& rates = profile_.rates;
    const char* const level = profile_.node && measured.curves.front().level == "node"
                                  ? "within the node"
                                  : "between nodes";
    add("exchange", line(rates.alpha, "alpha", rates.beta, "beta"), level);
    add("one way", line(rates.alpha_uni, "alpha_uni", rates.beta_uni, "beta_uni"), level);
    for (std::size_t i = 1; i < profile_.steps.size(); ++i)
      add(fmt::format("from {}", format_bytes(profile_.steps[i].from)),
          fmt::format("{} and {} a byte, one way {} and {}", us(profile_.steps[i].alpha),
                      ns(profile_.steps[i].beta), us(profile_.steps[i].alpha_uni),
                      ns(profile_.steps[i].beta_uni)),
          "a step");
    if (profile_.node) {
      const NodeRates& node = *profile_.node;
      add("node",
          fmt::format("latency {}{}, work for a message {}{}", us(node.latency), with("latency"),
                      us(node.message), with("message")),
          "");
      add("",
          fmt::format("a copy {} a byte{}; to read at the sender's: {}{} and {:.3g} copies{}",
                      ns(node.byte), with("copy"), us(node.attach), with("attach"), node.reading,
                      with("attach_copies")),
          "");
      if (node.across > 1)
        add("", fmt::format("to another domain: {:.3g} times as long", node.across), "");
      add("",
          fmt::format("a switch {}{}, {} cores", us(node.switching), with("switch"), node.cores),
          "");
    }
    if (profile_.interface.curve.size() > 1) {
      std::vector<std::string> factors;
      for (const auto& [cores, factor] : profile_.interface.curve)
        factors.push_back(fmt::format("{}: {:.3g}", cores, factor));
      add("interface", fmt::format("{}{}", fmt::join(factors, ", "), with("interface")),
          "bandwidth of so many cores, in terms of one");
    }
    if (rates.gamma > 0)
      add("gamma", fmt::format("{} a byte{}", ns(rates.gamma), with("gamma")), "sums of doubles");
    if (profile_.rates.post > 0)
      add("post", us(profile_.rates.post) + with("post"), "to post a message");
    if (profile_.piece > 0)
      add("piece", format_bytes(profile_.piece), "best for messages between nodes");
  }
  const std::string& text() const { return text_; }

 private:
  static std::string us(double seconds) { return fmt::format("{:.3g} us", seconds * 1e6); }
  static std::string ns(double seconds) { return fmt::format("{:.3g} ns", seconds * 1e9); }
  std::string with(const char* name) const {
    const auto found = profile_.uncertainty.find(name);
    if (found == profile_.uncertainty.end()) return "";
    return fmt::format(" +- {:.2g} %", 100 * found->second);
  }
  std::string line(double alpha, const char* one, double beta, const char* other) const {
    return fmt::format("{}{}, {} a byte{} ({})", us(alpha), with(one), ns(beta), with(other),
                       beta > 0 ? fmt::format("{:.3g} MB/s", 1e-6 / beta) : "free");
  }
  void add(std::string_view what, const std::string& value, std::string_view meaning) {
    text_ += fmt::format("{:<10} {}{}\n", what, value,
                         meaning.empty() ? "" : fmt::format("  {}", meaning));
  }

  const Profile& profile_;
  std::string text_;
};

/// The share of the time for rates, if decisions are made, too.
constexpr double share_of_rates = 1.0 / 3;

/// Fills the profile's decision table, for each number of ranks that was asked for. On rank 0: what
/// came out of each.
std::vector<Decided> decide_all(const TunePlan& plan, bool exhaustive, Profile& profile,
                                const Report& report) {
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int> ps = plan.p.empty() ? std::vector{ranks} : plan.p;
  std::vector<Decided> all;
  for (std::size_t i = 0; i < ps.size(); ++i) {
    const auto number = static_cast<double>(ps.size());
    const DecideOptions options{.budget = plan.budget * (1 - share_of_rates) / number,
                                .exhaustive = exhaustive,
                                .collectives = plan.collectives,
                                .sizes = plan.sizes,
                                .progress = [&](double share, const std::string& what) {
                                  const double done = (static_cast<double>(i) + share) / number;
                                  report(share_of_rates + (1 - share_of_rates) * done, what);
                                }};
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_split(MPI_COMM_WORLD, rank < ps[i] ? 0 : MPI_UNDEFINED, rank, &comm);
    Trouble trouble;
    if (comm != MPI_COMM_NULL) {
      PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
      trouble.attempt([&] { all.push_back(decide(comm, profile, options)); });
      PMPI_Comm_free(&comm);
    }
    meet_asleep(MPI_COMM_WORLD);
    int state[2] = {trouble.bad, !trouble.bad && rank == 0 && all.back().interrupted};
    PMPI_Bcast(state, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (state[0]) throw std::runtime_error(trouble.why);
    if (state[1]) throw Interrupted{};
  }
  return all;
}

/// What was decided, for people.
std::string decided_text(const Profile& profile, const std::vector<Decided>& all) {
  std::string text;
  for (const Decided& each : all) {
    if (each.sizes == 0) continue;  // one rank
    std::vector<double> gains;
    for (const Decided::Change& change : each.changes) gains.push_back(change.gain);
    text += fmt::format(
        "\ndecisions on {}: {} sizes, {} of them measured, {} candidates in all, {:.1f} s; another "
        "than the\nmodel's choice at {}{}\n",
        each.topology, each.sizes, each.measured, each.candidates, each.seconds, gains.size(),
        gains.empty()
            ? ""
            : fmt::format(", {:.2f} times as fast in geometric mean", geometric_mean(gains)));
    for (const DecisionRow& row : profile.decisions.rows()) {
      if (row.topology->describe() != each.topology) continue;
      std::vector<std::string> choices;
      for (const Decision& choice : row.choices) {
        std::string name = "native";
        if (choice.request) {
          name = format_request(*choice.request->algorithm, choice.request->parameters);
          name.erase(0, name.find('/') + 1);
        }
        choices.push_back(
            choice.from == 0 ? name : fmt::format("from {} {}", format_bytes(choice.from), name));
      }
      const std::string name =
          row.blocks == Evenness::any
              ? std::string(name_of(row.collective))
              : fmt::format("{}, {}", name_of(row.collective), name_of(row.blocks));
      text += fmt::format("{:<22} {}\n", name, fmt::join(choices, "; "));
    }
  }
  return text;
}

Json json_of(const std::vector<Decided>& all) {
  Json list = Json::array();
  for (const Decided& each : all) {
    Json changes = Json::array();
    for (const Decided::Change& change : each.changes)
      changes.push_back({{"collective", name_of(change.collective)},
                         {"bytes", change.bytes},
                         {"model", change.model},
                         {"chosen", change.chosen},
                         {"gain", change.gain}});
    list.push_back({{"topology", each.topology},
                    {"sizes", each.sizes},
                    {"measured", each.measured},
                    {"candidates", each.candidates},
                    {"ranking_s", each.ranking},
                    {"seconds", each.seconds},
                    {"changes", changes}});
  }
  return list;
}

/// The profile, its picture, and what there is to say.
void write(const TuneOptions& options, const TunePlan& plan, const Topology& topology,
           MeasuredRates& measured, const std::vector<Decided>& decided) {
  Profile& profile = measured.profile;
  profile.name = host_name();
  write_profile(plan.file, format_profile(profile));
  const auto charts = charts_of(measured.curves, describe(topology));
  if (!plan.picture.empty()) write_output(plan.picture, chart_svg(charts));
  if (options.json) {
    Json curves = Json::array();
    for (const Curve& each : measured.curves) curves.push_back(json_of(each));
    std::cout << Json{{"program", "tutti tune"},
                      {"version", TUTTI_VERSION},
                      {"file", plan.file},
                      {"topology", topology.describe()},
                      {"profile", Json::parse(format_profile(profile))},
                      {"curves", curves},
                      {"decided", json_of(decided)}}
                     .dump(1)
              << "\n";
  } else {
    std::cout << fmt::format("{}, {}\n\n{}", describe(topology), profile.measured_on->mpi,
                             Summary(measured).text());
    for (const std::string& each : measured.remarks) std::cout << "note: " << each << "\n";
    std::cout << decided_text(profile, decided);
    if (plan.shows && plan.picture.empty())
      for (const Chart& chart : charts) std::cout << "\n" << chart_text(chart);
    if (!plan.picture.empty()) std::cout << fmt::format("\ndrawn in {}", plan.picture);
    std::cout << fmt::format(
        "\nwritten to {}\n{}\n", plan.file,
        plan.usual ? "tutti run, and programs with the library, choose by it from now on"
                   : fmt::format("tutti run chooses by it with TUTTI_PROFILE={}", plan.file));
  }
  if (!std::cout.flush())
    throw std::runtime_error("cannot write to standard output: is the disk full?");
}

}  // namespace

int run_tune(const TuneOptions& options) {
  const TunePlan plan = plan_of(options);
  // A profile of before has no say, and may be what is to be replaced because it is damaged.
  tutti_tune_settings({.profile = "none"});
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const int p : plan.p)
    if (p > ranks)
      throw std::invalid_argument(
          fmt::format("-p {}: the launcher started {} rank{}: write mpirun "
                      "-n {}",
                      p, ranks, ranks == 1 ? "" : "s", p));
  end_on_signals();
  const auto topology = topology_seen(MPI_COMM_WORLD);
  if (plan.mesh && topology->nodes() > plan.mesh->p())
    throw std::invalid_argument(fmt::format("--mesh {} has {} nodes, the ranks are on {}",
                                            options.mesh, plan.mesh->p(), topology->nodes()));
  std::unique_ptr<Progress> progress;
  if (rank == 0) progress = std::make_unique<Progress>(launcher_has_terminal(STDERR_FILENO));
  const auto report = [&](double share, const std::string& what) {
    progress->show(share, 1, what);
  };

  MeasuredRates measured;
  std::vector<Decided> decided;
  try {
    // What is chosen by the rates needs most of the time, if it is asked for.
    const double share = options.rates_only ? 1 : share_of_rates;
    measured =
        measure_rates(MPI_COMM_WORLD, plan.budget * share,
                      [&](double done, const std::string& what) { report(share * done, what); });
    measured.profile.source = source_of(*topology, measured.remarks);
    measured.profile.mesh = plan.mesh;
    if (!options.rates_only)
      decided = decide_all(plan, options.exhaustive, measured.profile, report);
  } catch (const Interrupted&) {
    progress.reset();
    if (rank == 0)
      std::cerr << fmt::format("tutti: interrupted: nothing was written to {}\n", plan.file);
    return interrupted_status;
  }
  progress.reset();

  Trouble().attempt_on_first(rank, [&] { write(options, plan, *topology, measured, decided); });
  return fine;
}

}  // namespace tutti::core::cli
