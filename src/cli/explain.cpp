// The verb tutti explain: what Tutti would take for a call, and why.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "model/bounds.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"
#include "select/profiles.hpp"
#include "select/reason.hpp"

namespace tutti::core::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions : ModelOptions {
  std::string distribution, file;
  bool json = false;
};

/// What the ranks of a program would know.
Known known_at(const ModelPoint& point, const ModelQuestion& question) {
  Known known = known_of(problem_of(point, question), point.n);
  if (!point.topology)
    known.problem.topology = std::make_shared<const Topology>(Topology::one_rank_per_node(point.p));
  return known;
}

/// A choice in words.
struct Answer {
  std::string algorithm;  // `allreduce/ring`, or `native`
  std::string by;         // profile or model
  double seconds = 0;
  bool measured = false;
  std::size_t from = 0;                       // of the profile's decision
  std::optional<SizeMeasured> measured_at{};  // what candidates took at a size near it
  std::string why{};
};

/// What the profile's table names, and how the model sees it.
Answer by_profile(const Choice& choice, const ModelPoint& point, const ModelQuestion& question) {
  const bool has_sizes = choice.bytes.has_value();
  const Decision& decision = choice.row->choice_for(choice.bytes.value_or(0));
  const Ground ground = choice.ground();
  const Prediction& best = point.predictions.front();
  Answer answer{.algorithm = "native",
                .by = "profile",
                .seconds = ground.seconds,
                .measured = ground.measured,
                .from = decision.from};
  if (decision.request)
    answer.algorithm = format_request(*decision.request->algorithm, decision.request->parameters);
  if (ground.at != nullptr) answer.measured_at = *ground.at;
  answer.why = fmt::format("the table of {} for {}{}: {} {}", question.profile.name,
                           choice.row->topology->describe(),
                           has_sizes ? fmt::format(" from {} on", format_bytes(decision.from)) : "",
                           ground.measured ? "measured" : "predicted", duration(ground.seconds));
  if (has_sizes)
    answer.why += ground.at != nullptr ? fmt::format(" at {}", format_bytes(ground.at->bytes))
                                       : " at its smallest size";
  if (!ground.next.empty())
    answer.why += fmt::format(", before {} with {}", ground.next, duration(ground.next_seconds));
  const auto same =
      std::find_if(point.predictions.begin(), point.predictions.end(), [&](const Prediction& each) {
        return decision.request && each.valid() && each.algorithm == decision.request->algorithm;
      });
  if (same == point.predictions.begin()) {
    answer.why += "; the model would take it, too";
  } else {
    answer.why += fmt::format("; the model alone would take {}", best.algorithm->name);
    if (same != point.predictions.end())
      answer.why += fmt::format(" and gives this one {:.0f} % more",
                                (same->seconds / best.seconds - 1) * 100);
  }
  return answer;
}

/// The fastest by the model.
Answer by_model(const Choice& choice, const Known& known, const ModelPoint& point,
                const ModelQuestion& question) {
  const Machine machine = question.machine_for(point.topology.get());
  const Known asked = stand_in(known, machine);
  const std::size_t n = choice.bytes.value_or(point.n);
  std::string before;
  if (choice.refused != nullptr)
    before = fmt::format("{} of the profile's table {}; else ", choice.refused->full_name(),
                         choice.unmet);
  if (n != point.n) before += fmt::format("as for all calls up to {}, ", format_bytes(n));
  return {.algorithm = format_request(*choice.algorithm, choice.parameters),
          .by = "model",
          .seconds = point.predictions.front().seconds,
          .why = before + reason(point.predictions, asked.problem, n, machine, point.bound,
                                 care_of_programs)};
}

/// What Tutti takes when nobody asks for an algorithm and nothing was learned. Fills in the point's
/// predictions.
Answer answer_of(ModelPoint& point, const ModelQuestion& question) {
  const Known known = known_at(point, question);
  Choice choice = choose(known, nullptr, question.profile, 0);
  const bool by_table = choice.by == Choice::By::profile;
  // Where the model was asked about another size, so is the bound.
  if (!by_table && point.bound && choice.bytes)
    point.bound = lower_bound(question.collective, point.p, static_cast<double>(*choice.bytes),
                              question.machine_for().rates);
  point.predictions =
      by_table ? predictions_of(point, question, care_of_programs) : std::move(choice.predictions);
  return by_table ? by_profile(choice, point, question) : by_model(choice, known, point, question);
}

/// Every place that the profile's table knows of the collective, if none is asked for.
std::vector<ModelQuestion> questions_of(const ExplainOptions& options) {
  const Collective collective = parse_collective(options.collective);
  ModelOptions asked = options;
  if (!has_common_size(collective) && !options.sizes.empty())
    throw std::invalid_argument(fmt::format(
        "{}: {}: leave -n out", name_of(collective),
        collective == Collective::barrier ? "it moves no data"
                                          : "its ranks do not know a common size to choose by"));
  const Distribution distribution = options.distribution.empty()
                                        ? Distribution::regular
                                        : parse_distribution(options.distribution);
  if (distribution != Distribution::regular && !has_common_blocks(collective))
    throw std::invalid_argument(
        fmt::format("{}: its ranks do not know each other's sizes to choose by: leave "
                    "--distribution out",
                    name_of(collective)));
  const Profile profile = with_nodes(profile_for(options.profile));  // as programs do
  std::vector<ModelQuestion> questions;
  const auto ask = [&] {
    const bool guesses = collective != Collective::barrier && !has_common_size(collective);
    ModelQuestion question = question_of(asked, profile, guesses);
    question.distribution = distribution;
    for (const int p : guesses ? question.p : std::vector<int>{}) {
      questions.push_back(question);
      questions.back().p = {p};
      questions.back().sizes = {guessed_bytes(collective, p)};
    }
    if (!guesses) questions.push_back(question);
  };
  if (!options.p.empty() || !options.topology.empty() || !options.mesh.empty()) {
    ask();
    return questions;
  }
  const auto evenness = [&](int p) {
    constexpr int some = 1024;  // of each rank
    return distributed(collective, distribution, p, static_cast<std::size_t>(p) * some)
        .call(0)
        .evenness();
  };
  for (const DecisionRow& row : profile.decisions.rows())
    if (row.covers(collective, *row.topology, evenness(row.topology->p())))
      asked.topology = row.topology->describe(), ask();
  if (questions.empty())
    throw std::invalid_argument(fmt::format(
        "{}: how many ranks? Write -p RANKS, --topology or --mesh", name_of(collective)));
  return questions;
}

/// What was measured of the candidates, a line for each; the one that is taken has a star.
std::string measured_text(const Answer& answer, const ModelQuestion& question) {
  if (!answer.measured_at) return "";
  std::string text = has_common_size(question.collective)
                         ? fmt::format("measured at {}\n", format_bytes(answer.measured_at->bytes))
                         : "measured, geometric mean over sizes and distributions\n";
  for (const auto& [name, seconds] : answer.measured_at->seconds) {
    const std::string full =
        name == "native" ? name : fmt::format("{}/{}", name_of(question.collective), name);
    const bool is_taken = full == answer.algorithm;
    const std::string line =
        fmt::format("{} {:<48} {:>12}", is_taken ? '*' : ' ', full, duration(seconds));
    text += (is_taken ? styled(line, "32") : line) + "\n";
  }
  return text + "predicted\n";
}

std::string text_of(const Answer& answer, const ModelPoint& point, const ModelQuestion& question) {
  return fmt::format(
      "{}\n{}\n  {}\n\n{}{}", styled(title_of(point, question), "1"),
      styled(fmt::format("takes {}, {} {}", answer.algorithm,
                         answer.measured ? "measured" : "predicted", duration(answer.seconds)),
             "32"),
      answer.why, measured_text(answer, question), candidates_text(point));
}

}  // namespace

void add_explain(CLI::App& app, int&) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb =
      app.add_subcommand("explain", "Say which algorithm Tutti would take for a call, and why.");
  add_model_options(*verb, *options);
  verb->add_option("--distribution", options->distribution,
                   "How blocks differ (allgatherv, reduce_scatter): regular, broadcast, spike, "
                   "half_full, decreasing, geometric (default: regular)");
  verb->add_flag("--json", options->json, "As JSON");
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(
      *verb, {"tutti explain allreduce -p 64 -n 64,1M", "tutti explain bcast --topology 4x4 -n 32K",
              "tutti explain bcast --mesh 16x32 -n 1M",
              "tutti explain reduce_scatter -p 6 -n 8K --noncommutative",
              "tutti explain allgatherv -p 16 -n 1M --distribution spike",
              "tutti explain alltoall -p 64 -n 1K --profile gigabit-ethernet --json"});
  verb->footer(
      "First comes what the profile's table of decisions says for just this placement of ranks;\n"
      "elsewhere the model chooses, with the profile's rates. Without -p, --topology and --mesh:\n"
      "every placement in that table. What a program asks for by name, and what it learns while it "
      "runs,\n"
      "go before both: tutti run --explain shows those. Below stands what tutti tune measured of\n"
      "candidates at the nearest size, then all candidates as the model sees them, the fastest\n"
      "with a star, and why some cannot run or are out of the question. On a mesh, and where over\n"
      "64 ranks share nodes, calls up to the same power of two of bytes share a choice: times of\n"
      "the model are for that size.\n"
      "What the profile does not tell of nodes is as in the default one. Cores are the one thing\n"
      "that programs look at: say with --cores how many the ranks of a node share, where the\n"
      "profile does not tell and ranks are more.\n\n" +
      verb->get_footer());
  verb->callback([options] {
    std::string text;
    Json points = Json::array();
    const std::vector<ModelQuestion> questions = questions_of(*options);
    for (const ModelQuestion& question : questions)
      for (ModelPoint& point : places_of(question)) {
        const Answer answer = answer_of(point, question);
        text += (text.empty() ? "" : "\n") + text_of(answer, point, question);
        Json json = json_of(point, question);
        json["takes"] = {{"algorithm", answer.algorithm},
                         {"by", answer.by},
                         {"seconds", answer.seconds},
                         {"measured", answer.measured},
                         {"why", answer.why}};
        if (answer.by == "profile") json["takes"]["from"] = answer.from;
        if (answer.measured_at) {
          json["measured"] = {{"bytes", answer.measured_at->bytes}, {"seconds", Json::object()}};
          for (const auto& [name, seconds] : answer.measured_at->seconds)
            json["measured"]["seconds"][name] = seconds;
        }
        points.push_back(std::move(json));
      }
    if (options->json)
      text = Json{{"collective", options->collective},
                  {"profile", questions.front().profile.name},
                  {"points", points}}
                 .dump(2) +
             "\n";
    write_output(options->file, text);
  });
}

}  // namespace tutti::core::cli
