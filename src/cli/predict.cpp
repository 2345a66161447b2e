// The verb tutti predict: what every algorithm would take, how near the best comes to the bound,
// the map of winners over p and size, and the sizes at which the winner changes.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "draw/map.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/crossover.hpp"

namespace tutti::core::cli {
namespace {

using Json = nlohmann::ordered_json;

struct PredictOptions : ModelOptions {
  std::string format = "text", file, among;
  bool json = false, csv = false, map = false, crossover = false;
};

std::string csv_of(const std::vector<ModelPoint>& points, Collective collective) {
  std::string text = "collective,algorithm,p,bytes,seconds,lower_bound,winner\n";
  for (const ModelPoint& point : points)
    for (const Prediction& each : point.predictions)
      if (each.valid())
        text += fmt::format("{},{},{},{},{:.9g},{},{}\n", name_of(collective), each.algorithm->name,
                            point.p, point.n, each.seconds,
                            point.bound ? fmt::format("{:.9g}", *point.bound) : "",
                            point.is_winner(each) ? 1 : 0);
  return text;
}

std::string predictions(const PredictOptions& options, const ModelQuestion& question) {
  const std::vector<ModelPoint> points = points_of(question);
  if (options.csv) return csv_of(points, question.collective);
  std::string text;
  if (options.json) {
    Json all = Json::array();
    for (const ModelPoint& point : points) all.push_back(json_of(point, question));
    return Json{{"collective", name_of(question.collective)},
                {"profile", question.profile.name},
                {"points", all}}
               .dump(2) +
           "\n";
  }
  for (const ModelPoint& point : points)
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n",
                        styled(title_of(point, question), "1"), candidates_text(point));
  return text;
}

std::string crossover_text(const std::vector<Reign>& reigns, const ModelQuestion& question, int p) {
  std::string text = fmt::format(
      "{}\n",
      styled(fmt::format("{}, p = {}, {}", name_of(question.collective), p, question.profile.name),
             "1"));
  for (const Reign& each : reigns) {
    std::string line =
        fmt::format("  {:>12}  {:<40}", fmt::format("from {}", each.from), each.algorithm->name);
    if (!each.formula.empty()) line += fmt::format("  n = {}", each.formula);
    if (!each.with.empty()) line += fmt::format("  ({}, p = {})", each.with, p);
    while (line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string crossovers_of(const PredictOptions& options, const ModelQuestion& question) {
  std::vector<const Algorithm*> among;
  for (const std::string& name : options.among.empty() ? std::vector<std::string>{}
                                                       : parse_list(options.among, [](auto text) {
                                                           return std::string(text);
                                                         }))
    among.push_back(
        parse_request(fmt::format("{}/{}", name_of(question.collective), name)).algorithm);
  std::string text;
  Json points = Json::array();
  for (const int p : question.p) {
    const auto reigns = crossovers(question.collective, p, question.machine_for().rates,
                                   question.commutative, among);
    text += (text.empty() ? "" : "\n") + crossover_text(reigns, question, p);
    Json list = Json::array();
    for (const Reign& each : reigns) {
      list.push_back({{"from", each.from}, {"algorithm", each.algorithm->name}});
      if (!each.formula.empty()) list.back()["formula"] = each.formula;
      if (!each.with.empty()) list.back()["with"] = each.with;
    }
    points.push_back({{"p", p}, {"fastest", list}});
  }
  if (!options.json) return text;
  return Json{{"collective", name_of(question.collective)},
              {"profile", question.profile.name},
              {"crossovers", points}}
             .dump(2) +
         "\n";
}

}  // namespace

void add_predict(CLI::App& app, int&) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* verb = app.add_subcommand(
      "predict", "Predict the time of every algorithm of a collective; the winner has a star.");
  CLI::Option* topology = add_model_options(*verb, *options);
  CLI::Option* mesh = verb->get_option("--mesh");
  CLI::Option* json = verb->add_flag("--json", options->json, "As JSON");
  CLI::Option* csv = verb->add_flag("--csv", options->csv, "As CSV")->excludes(json);
  CLI::Option* map =
      verb->add_flag("--map", options->map, "The winner for every p and size, as a map")
          ->excludes(csv)
          ->excludes(json)
          ->excludes(topology)
          ->excludes(mesh);
  verb->add_option("--format", options->format, "Of the map: text or svg")
      ->check(CLI::IsMember({"text", "svg"}))
      ->needs(map)
      ->capture_default_str();
  CLI::Option* crossover =
      verb->add_flag(
              "--crossover", options->crossover,
              "The sizes at which the fastest algorithm changes, as numbers and as formulas: "
              "in p, or for one p and the parameters there; q is ceil(lg p)")
          ->excludes(csv)
          ->excludes(map)
          ->excludes(topology)
          ->excludes(mesh);
  verb->add_option("--among", options->among,
                   "For --crossover: only these algorithms, commas between")
      ->needs(crossover);
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(*verb,
               {"tutti predict allreduce -p 64 -n 8,32K,1M",
                "tutti predict bcast -p 1000000 -n 1G --profile gigabit-ethernet",
                "tutti predict alltoall --topology 64x8 -n 4K,256K",
                "tutti predict allreduce -p 2,3,4,6,8,12,16,24,32 -n 1K,4K,16K,64K,256K --map",
                "tutti predict allreduce -p 2,4,8,16,32 -n 1K,32K,1M --map --format svg -o map.svg",
                "tutti predict --crossover allreduce -p 16,64",
                "tutti predict --crossover reduce_scatter -p 8,256 --profile myrinet-2000 "
                "--among recursive_doubling,pairwise"});
  verb->footer(
      "Times are closed forms for equal blocks and segments that divide the data. Where they do\n"
      "not, as for a few bytes on many ranks, the schedules take less. With --topology they are\n"
      "estimated from the schedules, compositions over nodes included. On a mesh whatever may "
      "come\n"
      "near the fastest is followed over its links; times of others are as if no two messages "
      "met.\n\n" +
      verb->get_footer());
  verb->callback([options] {
    const ModelQuestion question =
        question_of(*options, profile_for(options->profile), options->crossover);
    if (options->crossover) return write_output(options->file, crossovers_of(*options, question));
    if (!options->map) return write_output(options->file, predictions(*options, question));
    const DecisionMap winners = decision_map(question.collective, question.p, question.sizes,
                                             question.machine_for().rates, question.commutative);
    write_output(options->file, options->format == "svg" ? map_svg(winners) : map_text(winners));
  });
}

}  // namespace tutti::core::cli
