// tutti predict: what every algorithm would take, how near the best comes to the bound, and the map
// of winners over p and size.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "draw/map.hpp"
#include "model/bounds.hpp"
#include "schedule/bytes.hpp"
#include "select/predict.hpp"

namespace tutti::cli {
namespace {

struct Options {
  std::string collective, p, sizes, topology, profile, format = "text", file;
  std::optional<int> cores;
  bool noncommutative = false, json = false, csv = false, map = false;
};

/// One p and size: everything about it.
struct Point {
  int p = 1;
  std::size_t n = 0;
  std::optional<double> bound;  // known of a network without nodes
  std::shared_ptr<const Topology> topology;
  std::vector<Prediction> predictions;

  bool is_winner(const Prediction& prediction) const {
    const double best = predictions.front().seconds;
    return prediction.valid() && prediction.seconds <= best * (1 + 1e-9);
  }
};

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string text_of(const Point& point, Collective collective, const Profile& profile) {
  const std::string nodes =
      point.topology ? fmt::format(", topology {}", point.topology->describe()) : "";
  std::string text =
      fmt::format("{}\n", styled(fmt::format("{}, p = {}{}, n = {}, {}", name_of(collective),
                                             point.p, nodes, format_bytes(point.n), profile.name),
                                 "1"));
  if (point.bound) text += fmt::format("  {:<48} {:>12}\n", "lower bound", duration(*point.bound));
  for (const Prediction& each : point.predictions) {
    std::string line = fmt::format("{} {:<48} ", point.is_winner(each) ? '*' : ' ',
                                   format_request(*each.algorithm, each.parameters));
    if (!each.valid())
      line += fmt::format("{:>12}", each.unmet);
    else
      line += fmt::format("{:>12}", duration(each.seconds));
    if (each.valid() && point.bound > 0.0)
      line += fmt::format(" {:>9.2f} x bound", each.seconds / *point.bound);
    text += (point.is_winner(each) ? styled(line, "32") : line) + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const Point& point) {
  auto predictions = nlohmann::ordered_json::array();
  for (const Prediction& each : point.predictions) {
    nlohmann::ordered_json row{{"algorithm", each.algorithm->name},
                               {"valid", each.valid()},
                               {"parameters", nlohmann::ordered_json::object()}};
    for (const auto& [name, value] : each.parameters)
      if (is_number(*each.algorithm, each.parameters, name))
        row["parameters"][name] = value;
      else
        row["parameters"][name] = format_value(*each.algorithm, each.parameters, name);
    if (each.valid()) {
      row["seconds"] = each.seconds;
      row["winner"] = point.is_winner(each);
    } else {
      row["unmet"] = each.unmet;
    }
    predictions.push_back(row);
  }
  nlohmann::ordered_json json{{"p", point.p}};
  if (point.topology) json["topology"] = point.topology->describe();
  json["bytes"] = point.n;
  if (point.bound) json["lower_bound"] = *point.bound;
  json["predictions"] = predictions;
  return json;
}

std::string csv_of(const std::vector<Point>& points, Collective collective) {
  std::string text = "collective,algorithm,p,bytes,seconds,lower_bound,winner\n";
  for (const Point& point : points)
    for (const Prediction& each : point.predictions)
      if (each.valid())
        text += fmt::format("{},{},{},{},{:.9g},{},{}\n", name_of(collective), each.algorithm->name,
                            point.p, point.n, each.seconds,
                            point.bound ? fmt::format("{:.9g}", *point.bound) : "",
                            point.is_winner(each) ? 1 : 0);
  return text;
}

Point point_on_nodes(const Options& options, Collective collective, int p, std::size_t n,
                     const Profile& profile) {
  Machine machine = profile.machine();
  if (options.cores) machine.node.cores = *options.cores;
  Problem problem = even_problem(collective, p, n, !options.noncommutative);
  problem.topology = parse_topology(options.topology, p);
  return {p, n, {}, problem.topology, predict(problem, machine)};
}

void predict_points(const Options& options, Collective collective, const std::vector<int>& ps,
                    const std::vector<std::size_t>& sizes, const Profile& profile) {
  std::vector<Point> points;
  for (const std::size_t n : options.topology.empty() ? std::vector<std::size_t>{} : sizes)
    points.push_back(point_on_nodes(options, collective, ps[0], n, profile));
  for (const int p : options.topology.empty() ? ps : std::vector<int>{})
    for (const std::size_t n : sizes)
      points.push_back({p,
                        n,
                        lower_bound(collective, p, static_cast<double>(n), profile.rates),
                        {},
                        predict(collective, p, n, profile.rates, !options.noncommutative)});
  std::string text;
  if (options.json) {
    auto all = nlohmann::ordered_json::array();
    for (const Point& point : points) all.push_back(json_of(point));
    text =
        nlohmann::ordered_json{
            {"collective", name_of(collective)}, {"profile", profile.name}, {"points", all}}
            .dump(2) +
        "\n";
  } else if (options.csv) {
    text = csv_of(points, collective);
  } else {
    for (const Point& point : points)
      text += (text.empty() ? "" : "\n") + text_of(point, collective, profile);
  }
  write_output(options.file, text);
}

std::vector<std::size_t> sizes_of(const Options& options, Collective collective) {
  if (collective == Collective::barrier) {
    if (options.sizes.empty()) return {0};
    throw std::invalid_argument("barrier: it moves no data: leave -n out");
  }
  if (options.sizes.empty())
    throw std::invalid_argument(
        fmt::format("{}: how many bytes? Write -n SIZES", name_of(collective)));
  return parse_list(options.sizes, parse_bytes);
}

std::vector<int> ranks_of(const Options& options, Collective collective) {
  if (options.topology.empty()) {
    if (!options.p.empty()) return parse_list(options.p, parse_p);
    throw std::invalid_argument(
        fmt::format("{}: how many ranks? Write -p RANKS", name_of(collective)));
  }
  const int p = options.p.empty() ? parse_topology(options.topology)->p() : parse_p(options.p);
  parse_topology(options.topology, p);  // as many
  if (p > most_estimated)
    throw std::invalid_argument(fmt::format(
        "the schedules of {} ranks take too long to estimate: give a topology of at most "
        "{}, or leave it out",
        p, most_estimated));
  return {p};
}

}  // namespace

void add_predict(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "predict", "Predict the time of every algorithm of a collective; the winner has a star.");
  verb->add_option("COLLECTIVE", options->collective, "Which collective")->required();
  verb->add_option("-p", options->p, "Ranks: a number, or several with commas between");
  CLI::Option* topology = verb->add_option(
      "--topology", options->topology,
      "Where they live: NODESxRANKS, NODESxRANKS:cyclic, or the node of each rank as 0,0,1,1 "
      "(default: each on a node of its own)");
  verb->add_option("--cores", options->cores,
                   "Cores of a node (default: what the profile says, or one for each rank)")
      ->needs(topology)
      ->check(CLI::Range(1, 1 << 20));
  verb->add_option("-n", options->sizes,
                   "Bytes a rank ends with (all-to-all: sends), K, M, G: one or several; not for a "
                   "barrier");
  std::string names;
  for (const auto& [name, text] : shipped_profiles()) names += (names.empty() ? "" : ", ") + name;
  verb->add_option(
      "--profile", options->profile,
      "A machine profile: a file, or " + names + " (default " + default_profile().name + ")");
  verb->add_flag("--noncommutative", options->noncommutative, "The operator is not commutative");
  CLI::Option* json = verb->add_flag("--json", options->json, "As JSON");
  CLI::Option* csv = verb->add_flag("--csv", options->csv, "As CSV")->excludes(json);
  CLI::Option* map =
      verb->add_flag("--map", options->map, "The winner for every p and size, as a map")
          ->excludes(csv)
          ->excludes(json)
          ->excludes(topology);
  verb->add_option("--format", options->format, "Of the map: text or svg")
      ->check(CLI::IsMember({"text", "svg"}))
      ->needs(map)
      ->capture_default_str();
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(
      *verb, {"tutti predict allreduce -p 64 -n 8,32K,1M",
              "tutti predict bcast -p 1000000 -n 1G --profile gigabit-ethernet",
              "tutti predict alltoall --topology 64x8 -n 4K,256K",
              "tutti predict allreduce -p 2,3,4,6,8,12,16,24,32 -n 1K,4K,16K,64K,256K --map",
              "tutti predict allreduce -p 2,4,8,16,32 -n 1K,32K,1M --map --format svg -o map.svg"});
  verb->footer(
      "Times are closed forms for equal blocks and segments that divide the data. Where they do\n"
      "not, as for a few bytes on many ranks, the schedules take less. With --topology they are\n"
      "estimated from the schedules, compositions over nodes included.\n\n" +
      verb->get_footer());
  verb->callback([options] {
    const Collective collective = parse_collective(options->collective);
    const auto ps = ranks_of(*options, collective);
    const auto sizes = sizes_of(*options, collective);
    if (options->noncommutative && !reduces(collective))
      throw std::invalid_argument(
          fmt::format("{}: it has no operator: leave --noncommutative out", name_of(collective)));
    const Profile profile =
        options->profile.empty() ? default_profile() : find_profile(options->profile);
    if (!options->map) return predict_points(*options, collective, ps, sizes, profile);
    const DecisionMap winners =
        decision_map(collective, ps, sizes, profile.rates, !options->noncommutative);
    write_output(options->file, options->format == "svg" ? map_svg(winners) : map_text(winners));
  });
}

}  // namespace tutti::cli
