// tutti predict: what every algorithm would take, how near the best comes to the bound, and the map
// of winners over p and size.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "draw/map.hpp"
#include "model/bounds.hpp"
#include "schedule/bytes.hpp"
#include "select/predict.hpp"

namespace tutti::cli {
namespace {

struct Options {
  std::string collective, p, sizes, profile, format = "text", file;
  bool noncommutative = false, json = false, csv = false, map = false;
};

/// One p and size: everything about it.
struct Point {
  int p = 1;
  std::size_t n = 0;
  double bound = 0;
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
  std::string text =
      fmt::format("{}\n", styled(fmt::format("{}, p = {}, n = {}, {}", name_of(collective), point.p,
                                             format_bytes(point.n), profile.name),
                                 "1"));
  text += fmt::format("  {:<48} {:>12}\n", "lower bound", duration(point.bound));
  for (const Prediction& each : point.predictions) {
    std::string line = fmt::format("{} {:<48} ", point.is_winner(each) ? '*' : ' ',
                                   format_request(*each.algorithm, each.parameters));
    if (!each.valid())
      line += fmt::format("{:>12}", each.unmet);
    else
      line += fmt::format("{:>12}", duration(each.seconds));
    if (each.valid() && point.bound > 0)
      line += fmt::format(" {:>9.2f} x bound", each.seconds / point.bound);
    text += (point.is_winner(each) ? styled(line, "32") : line) + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const Point& point) {
  auto predictions = nlohmann::ordered_json::array();
  for (const Prediction& each : point.predictions) {
    nlohmann::ordered_json row{{"algorithm", each.algorithm->name},
                               {"valid", each.valid()},
                               {"parameters", each.parameters}};
    if (each.valid()) {
      row["seconds"] = each.seconds;
      row["winner"] = point.is_winner(each);
    } else {
      row["unmet"] = each.unmet;
    }
    predictions.push_back(row);
  }
  return {{"p", point.p},
          {"bytes", point.n},
          {"lower_bound", point.bound},
          {"predictions", predictions}};
}

std::string csv_of(const std::vector<Point>& points, Collective collective) {
  std::string text = "collective,algorithm,p,bytes,seconds,lower_bound,winner\n";
  for (const Point& point : points)
    for (const Prediction& each : point.predictions)
      if (each.valid())
        text +=
            fmt::format("{},{},{},{},{:.9g},{:.9g},{}\n", name_of(collective), each.algorithm->name,
                        point.p, point.n, each.seconds, point.bound, point.is_winner(each) ? 1 : 0);
  return text;
}

void predict_points(const Options& options, Collective collective, const std::vector<int>& ps,
                    const std::vector<std::size_t>& sizes, const Profile& profile) {
  std::vector<Point> points;
  for (const int p : ps)
    for (const std::size_t n : sizes)
      points.push_back({p, n, lower_bound(collective, p, static_cast<double>(n), profile.rates),
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

}  // namespace

void add_predict(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "predict", "Predict the time of every algorithm of a collective; the winner has a star.");
  verb->add_option("COLLECTIVE", options->collective, "Which collective")->required();
  verb->add_option("-p", options->p, "Ranks: a number, or several with commas between")->required();
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
          ->excludes(json);
  verb->add_option("--format", options->format, "Of the map: text or svg")
      ->check(CLI::IsMember({"text", "svg"}))
      ->needs(map)
      ->capture_default_str();
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(
      *verb, {"tutti predict allreduce -p 64 -n 8,32K,1M",
              "tutti predict bcast -p 1000000 -n 1G --profile gigabit-ethernet",
              "tutti predict allreduce -p 2,3,4,6,8,12,16,24,32 -n 1K,4K,16K,64K,256K --map",
              "tutti predict allreduce -p 2,4,8,16,32 -n 1K,32K,1M --map --format svg -o map.svg"});
  verb->footer(
      "Times are closed forms for equal blocks and segments that divide the data. Where they do\n"
      "not, as for a few bytes on many ranks, the schedules take less.\n\n" +
      verb->get_footer());
  verb->callback([options] {
    const Collective collective = parse_collective(options->collective);
    const auto ps = parse_list(options->p, parse_p);
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
