// What predict and explain ask of the model, as words, and how its answers are written.

#include "cli/model_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cli/commands.hpp"
#include "model/bounds.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"
#include "select/environment.hpp"
#include "select/profiles.hpp"

namespace tutti::core::cli {

namespace {

std::vector<std::size_t> sizes_of(const ModelOptions& options, Collective collective) {
  if (collective == Collective::barrier) {
    if (options.sizes.empty()) return {0};
    throw std::invalid_argument("barrier: it moves no data: leave -n out");
  }
  if (options.sizes.empty())
    throw std::invalid_argument(
        fmt::format("{}: how many bytes? Write -n SIZES", name_of(collective)));
  return parse_list(options.sizes, parse_bytes);
}

std::vector<int> ranks_of(const ModelOptions& options, Collective collective) {
  if (options.topology.empty()) {
    if (!options.p.empty()) return parse_list(options.p, parse_p);
    if (!options.mesh.empty()) return {parse_mesh(options.mesh).p()};
    throw std::invalid_argument(fmt::format(
        "{}: how many ranks? Write -p RANKS, --topology or --mesh", name_of(collective)));
  }
  const int p = options.p.empty() ? parse_topology(options.topology)->p() : parse_p(options.p);
  parse_topology(options.topology, p);  // as many
  return {p};
}

}  // namespace

CLI::Option* add_model_options(CLI::App& verb, ModelOptions& options) {
  verb.add_option("COLLECTIVE", options.collective, "Which collective")->required();
  verb.add_option("-p", options.p, "Ranks: a number, or several with commas between");
  CLI::Option* topology =
      verb.add_option("--topology", options.topology,
                      "Where they live: NODESxRANKS, NODESxDOMAINSxRANKS, either with :cyclic, or "
                      "the node of each rank as 0,0,1,1 "
                      "(default: each on a node of its own)");
  verb.add_option("--cores", options.cores,
                  "Cores of a node (default: what the profile says, or one for each rank)")
      ->needs(topology)
      ->check(CLI::Range(1, 1 << 20));
  verb.add_option("--mesh", options.mesh,
                  "How nodes are joined: ROWSxCOLUMNS, or torus:AxBxC (default: what the profile "
                  "says, or all equally near)");
  verb.add_option("-n", options.sizes,
                  "Bytes a rank ends with (all-to-all: sends), K, M, G: one or several; not for a "
                  "barrier");
  std::string names;
  for (const auto& [name, text] : shipped_profiles()) names += (names.empty() ? "" : ", ") + name;
  verb.add_option("--profile", options.profile,
                  "A machine profile: a file, or " + names +
                      " (default: the one that programs find here, else " + default_profile().name +
                      ")");
  verb.add_flag("--noncommutative", options.noncommutative, "The operator is not commutative");
  return topology;
}

Profile profile_for(const std::string& name_or_file) {
  if (!name_or_file.empty()) return find_profile(name_or_file);
  const auto found = tutti::core::find_profile(in_environment);
  return found ? parse_profile(found->text, found->origin) : default_profile();
}

ModelQuestion question_of(const ModelOptions& options, Profile profile, bool for_all_sizes) {
  ModelQuestion question;
  question.collective = parse_collective(options.collective);
  question.p = ranks_of(options, question.collective);
  if (!for_all_sizes)
    question.sizes = sizes_of(options, question.collective);
  else if (!options.sizes.empty())
    throw std::invalid_argument("--crossover: it finds the sizes itself: leave -n out");
  if (options.noncommutative && !reduces(question.collective))
    throw std::invalid_argument(fmt::format("{}: it has no operator: leave --noncommutative out",
                                            name_of(question.collective)));
  if (!options.topology.empty())
    question.topology = parse_topology(options.topology, question.p[0]);
  question.profile = std::move(profile);
  if (!options.mesh.empty()) {
    question.profile.mesh = parse_mesh(options.mesh);
    const int nodes = question.topology ? question.topology->nodes()
                                        : *std::max_element(question.p.begin(), question.p.end());
    if (nodes > question.profile.mesh->p())
      throw std::invalid_argument(fmt::format("--mesh {} has {} nodes, {} are needed", options.mesh,
                                              question.profile.mesh->p(), nodes));
    const int ranks = question.topology ? question.topology->p() : nodes;
    if (std::max(ranks, question.profile.mesh->p()) > most_thorough)
      throw std::invalid_argument(fmt::format(
          "--mesh {} has too many {} to follow messages over its links: at most {}", options.mesh,
          question.profile.mesh->p() > most_thorough ? "nodes" : "ranks", most_thorough));
  }
  if (options.cores && question.profile.node) question.profile.node->cores = *options.cores;
  question.commutative = !options.noncommutative;
  return question;
}

Machine ModelQuestion::machine_for(const Topology* topology) const {
  return profile.machine_for(topology, 0, usual_work(commutative));
}

bool ModelPoint::is_winner(const Prediction& prediction) const {
  const double best = predictions.front().seconds;
  return prediction.valid() && prediction.seconds <= best * (1 + 1e-9);
}

std::vector<ModelPoint> places_of(const ModelQuestion& question) {
  std::vector<ModelPoint> points;
  for (const int p : question.p)
    for (const std::size_t n : question.sizes) {
      ModelPoint point{.p = p, .n = n, .topology = question.topology};
      if (!point.topology) {
        point.bound = lower_bound(question.collective, p, static_cast<double>(n),
                                  question.machine_for().rates);
        if (question.profile.mesh)
          point.topology = std::make_shared<const Topology>(Topology::one_rank_per_node(p));
      }
      points.push_back(std::move(point));
    }
  return points;
}

Problem problem_of(const ModelPoint& point, const ModelQuestion& question) {
  Problem problem = even_problem(question.collective, point.p, point.n);
  if (question.distribution != Distribution::regular) {
    const std::size_t size = problem.element_bytes;
    problem = distributed(question.collective, question.distribution, point.p,
                          (point.n + size - 1) / size);
    problem.element_bytes = size;
  }
  problem.commutative = question.commutative;
  problem.topology = point.topology;
  return problem;
}

std::vector<Prediction> predictions_of(const ModelPoint& point, const ModelQuestion& question,
                                       Care care) {
  const Problem problem = problem_of(point, question);
  return predict(problem, question.machine_for(point.topology.get()), point.n, care);
}

std::vector<ModelPoint> points_of(const ModelQuestion& question) {
  std::vector<ModelPoint> points = places_of(question);
  for (ModelPoint& point : points)
    point.predictions = predictions_of(point, question, Care::thorough);
  return points;
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::optional<Mesh> mesh_of(const ModelPoint& point, const ModelQuestion& question) {
  if (!point.topology || !question.profile.mesh) return std::nullopt;
  const Machine machine = question.machine_for(point.topology.get());
  return is_estimated(point.topology.get(), machine) ? machine.mesh_of(point.topology.get())
                                                     : std::nullopt;
}

std::string title_of(const ModelPoint& point, const ModelQuestion& question) {
  const std::string nodes =
      point.topology ? fmt::format(", topology {}", point.topology->describe()) : "";
  const std::optional<Mesh> links = mesh_of(point, question);
  const std::string mesh = links ? fmt::format(", {}", links->describe()) : "";
  const std::string blocks = question.distribution == Distribution::regular
                                 ? ""
                                 : fmt::format(", {}", name_of(question.distribution));
  return fmt::format("{}, p = {}{}{}, n = {}{}, {}", name_of(question.collective), point.p, nodes,
                     mesh, format_bytes(point.n), blocks, question.profile.name);
}

std::string candidates_text(const ModelPoint& point) {
  std::string text;
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

nlohmann::ordered_json json_of(const ModelPoint& point, const ModelQuestion& question) {
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
  if (const auto mesh = mesh_of(point, question)) json["mesh"] = mesh->describe();
  json["bytes"] = point.n;
  if (question.distribution != Distribution::regular)
    json["distribution"] = name_of(question.distribution);
  if (point.bound) json["lower_bound"] = *point.bound;
  json["predictions"] = predictions;
  return json;
}

}  // namespace tutti::core::cli
