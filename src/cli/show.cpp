// tutti show: one algorithm's schedules as text, as a picture or as data.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "draw/svg.hpp"
#include "draw/text.hpp"
#include "schedule/bytes.hpp"
#include "schedule/json.hpp"
#include "verify/verify.hpp"

namespace tutti::cli {
namespace {

constexpr int most_ranks = 256;  // in a picture

struct Options {
  std::string algorithm, p, bytes, format = "text", file;
  std::size_t count = 0;
  Rank root = 0;
  bool noncommutative = false;
};

Problem problem_of(const Options& options, Collective collective, bool count_given) {
  const int p = parse_p(options.p);
  const std::size_t element_bytes = reduces(collective) ? sizeof(double) : 1;
  std::size_t elements = static_cast<std::size_t>(p);  // one for each block
  if (count_given) elements = options.count;
  if (!options.bytes.empty()) {
    const std::size_t bytes = parse_bytes(options.bytes);
    if (bytes % element_bytes != 0)
      throw std::invalid_argument(
          fmt::format("{} bytes are not whole elements of {} bytes", options.bytes, element_bytes));
    elements = bytes / element_bytes;
  }
  Problem problem = Problem::even(collective, p, elements);
  problem.root = options.root;
  problem.commutative = !options.noncommutative;
  problem.element_bytes = element_bytes;
  problem.validate();
  return problem;
}

std::string json_of(const Algorithm& algorithm, const Problem& problem,
                    const Parameters& parameters, const std::vector<Schedule>& schedules) {
  nlohmann::ordered_json json;
  json["algorithm"] = algorithm.full_name();
  json["problem"] = {{"collective", name_of(problem.collective)},
                     {"p", problem.p},
                     {"root", problem.root},
                     {"count", problem.count},
                     {"counts", problem.counts},
                     {"element_bytes", problem.element_bytes},
                     {"commutative", problem.commutative}};
  json["parameters"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : parameters) json["parameters"][name] = value;
  json["schedules"] = nlohmann::ordered_json::array();
  for (const Schedule& schedule : schedules) json["schedules"].push_back(to_json(schedule));
  return json.dump(2) + "\n";
}

void show(const Options& options, bool count_given) {
  const Request request = parse_request(options.algorithm);
  const Algorithm& algorithm = *request.algorithm;
  const Problem problem = problem_of(options, algorithm.collective, count_given);
  if (const std::string unmet = algorithm.valid.unmet(problem.p, problem.commutative);
      !unmet.empty())
    throw std::invalid_argument(algorithm.full_name() + ": " + unmet);
  if (options.format != "json" && problem.p > most_ranks)
    throw std::invalid_argument(
        fmt::format("a picture of {} ranks cannot be read: at most {}, or --format json", problem.p,
                    most_ranks));
  const Parameters parameters =
      algorithm.resolve(problem, default_profile().rates, request.parameters);
  const std::vector<Schedule> schedules = schedules_of(problem, algorithm, parameters);
  if (options.format == "json")
    return write_output(options.file, json_of(algorithm, problem, parameters, schedules));
  const Picture picture = picture_of(format_request(algorithm, parameters), problem, schedules);
  write_output(options.file, options.format == "svg" ? draw_svg(picture) : draw_text(picture));
}

}  // namespace

void add_show(CLI::App& app, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "show", "Show who sends what to whom, and who holds what after each step.");
  verb->add_option("ALGORITHM", options->algorithm, "COLLECTIVE/ALGORITHM[:parameter=value,...]")
      ->required();
  verb->add_option("-p", options->p, "Ranks")->required();
  CLI::Option* bytes = verb->add_option(
      "-n", options->bytes,
      "Bytes in all, as 4K or 1M (default: one element for each rank; reductions: of 8 bytes)");
  CLI::Option* count =
      verb->add_option("--count", options->count, "Elements in all")->excludes(bytes);
  verb->add_option("--root", options->root, "The root, where there is one")->capture_default_str();
  verb->add_flag("--noncommutative", options->noncommutative, "The operator is not commutative");
  verb->add_option("--format", options->format, "text, svg or json")
      ->check(CLI::IsMember({"text", "svg", "json"}))
      ->capture_default_str();
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(*verb, {"tutti show allgather/bruck -p 6", "tutti show bcast/binomial -p 8 --root 3",
                       "tutti show bcast/chain:segment=4K -p 5 -n 32K",
                       "tutti show allreduce/rabenseifner -p 13 --format svg -o figure-12.svg",
                       "tutti show alltoall/bruck -p 4 --format json"});
  verb->callback([options, count] { show(*options, count->count() > 0); });
}

}  // namespace tutti::cli
