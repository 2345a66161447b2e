// The verb tutti show: one algorithm's schedules as text, as a picture or as data.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/page.hpp"
#include "cli/schedule_document.hpp"
#include "draw/routes.hpp"
#include "draw/svg.hpp"
#include "draw/text.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "verify/verify.hpp"

namespace tutti::core::cli {
namespace {

struct ShowOptions {
  std::string algorithm, p, topology, mesh, bytes, count, profile, format = "text", file;
  std::optional<Rank> root;
  bool noncommutative = false;
};

constexpr Limit picture_limit{256, 1024, 150'000}, json_limit{4096, 1'000'000, 1'000'000},
    mesh_limit{512, 1024, 1'000'000};
constexpr std::size_t most_drawn_ranks = 8192;  // of a mesh, in all its panels

const Limit& limit_of(const ShowOptions& options) {
  if (!options.mesh.empty()) return mesh_limit;
  if (options.format == "html") return film_limit;
  return options.format == "json" ? json_limit : picture_limit;
}

Problem problem_of(const ShowOptions& options, Collective collective, int most_ranks) {
  const auto refuse = [&](std::string_view why) {
    throw std::invalid_argument(fmt::format("{}: {}", name_of(collective), why));
  };
  if (options.p.empty() && options.topology.empty() && options.mesh.empty())
    refuse("how many ranks? Write -p RANKS");
  const auto known = options.topology.empty() ? nullptr : parse_topology(options.topology);
  const int p = !options.p.empty()      ? parse_p(options.p)
                : !options.mesh.empty() ? parse_mesh(options.mesh).p()
                                        : known->p();
  if (known) parse_topology(options.topology, p);  // as many
  if (!options.mesh.empty() && parse_mesh(options.mesh).p() != p)
    throw std::invalid_argument(fmt::format("--mesh {} has {} ranks, -p is {}: leave -p out",
                                            options.mesh, parse_mesh(options.mesh).p(), p));
  if (p > most_ranks)
    throw std::invalid_argument(
        options.format == "json"
            ? fmt::format("the schedules of {} ranks are too long: at most {}", p, most_ranks)
            : fmt::format("a picture of {} ranks cannot be read: at most {}{}", p, most_ranks,
                          options.mesh.empty() ? ", or --format json" : ""));
  if (collective == Collective::barrier && !(options.bytes.empty() && options.count.empty()))
    refuse("it moves no data: leave -n and --count out");
  if (options.noncommutative && !reduces(collective))
    refuse("it has no operator: leave --noncommutative out");
  const std::size_t element_bytes = usual_element_bytes(collective);
  const auto ranks = static_cast<std::size_t>(p);
  std::size_t elements = ranks;  // one for each block
  if (!options.count.empty()) elements = parse_count(options.count);
  if (!options.bytes.empty()) {
    const std::size_t bytes = parse_bytes(options.bytes);
    if (bytes % element_bytes != 0)
      throw std::invalid_argument(
          fmt::format("{} bytes are not whole elements of {} bytes", options.bytes, element_bytes));
    elements = bytes / element_bytes;
  }
  if (!is_vector(collective) && !is_irregular(collective) && elements % ranks != 0)
    refuse(fmt::format("{} elements do not make {} equal blocks: give a multiple of {}", elements,
                       p, p));
  Problem problem = Problem::even(collective, p, elements);
  if (options.root && !has_root(collective)) refuse("it has no root: leave --root out");
  problem.root = options.root.value_or(0);
  problem.topology = known;
  problem.commutative = !options.noncommutative;
  problem.element_bytes = element_bytes;
  problem.validate();
  return problem;
}

/// Finds out before all schedules stand in memory and are followed step by step.
void check_length(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters,
                  const Limit& limit) {
  std::size_t slices = 0;
  for (Rank r = 0; r < problem.p; ++r) {
    const Generator generator(algorithm, problem.call(r), parameters);
    slices += generator.schedule().slices.size();
    if (slices > limit.slices || generator.schedule().round_count() > limit.rounds)
      throw std::invalid_argument(
          fmt::format("{}: the schedules are too long to show: more than {} rounds, or {} slices "
                      "in all; give fewer ranks, or larger segments",
                      format_request(algorithm, parameters), limit.rounds, limit.slices));
  }
}

/// The messages along the links of a mesh.
std::string drawn_on_mesh(const ShowOptions& options, const std::string& name,
                          const Problem& problem, const std::vector<Schedule>& schedules) {
  const Routes routes = routes_of(
      has_root(problem.collective) ? fmt::format("{}, root {},", name, problem.root) : name,
      parse_mesh(options.mesh), schedules);
  if (routes.steps.size() * schedules.size() > most_drawn_ranks)
    throw std::invalid_argument(
        fmt::format("{}: {} panels of {} ranks cannot be read: at most {} ranks in all; give a "
                    "smaller mesh, or see tutti check --conflicts",
                    name, routes.steps.size(), schedules.size(), most_drawn_ranks));
  return options.format == "svg" ? routes_svg(routes) : routes_text(routes);
}

void show(const ShowOptions& options) {
  if (!options.mesh.empty() && options.format != "text" && options.format != "svg")
    throw std::invalid_argument(
        "--mesh draws a picture: give --format text or svg, or see "
        "tutti check --conflicts with --json");
  const Request request = parse_request(options.algorithm);
  const Algorithm& algorithm = *request.algorithm;
  const Limit& limit = limit_of(options);
  const Problem problem = problem_of(options, algorithm.collective, limit.ranks);
  if (const std::string unmet = algorithm.unmet(problem, request.parameters); !unmet.empty())
    throw std::invalid_argument(algorithm.full_name() + ": " + unmet);
  const Profile profile =
      options.profile.empty() ? default_profile() : find_profile(options.profile);
  const Parameters parameters = algorithm.resolve(problem, profile.rates, request.parameters);
  check_length(problem, algorithm, parameters, limit);
  const std::vector<Schedule> schedules = schedules_of(problem, algorithm, parameters);
  if (options.format == "json")
    return write_output(options.file,
                        json_of(algorithm, problem, parameters, schedules).dump(2) + "\n");
  const std::string name = format_request(algorithm, parameters);
  if (options.format == "html") {
    const auto film = film_data({name, problem, schedules}, profile);
    return write_output(options.file,
                        page_of({{"version", TUTTI_VERSION},
                                 {"schedules", nlohmann::ordered_json::array({film})}}));
  }
  if (!options.mesh.empty())
    return write_output(options.file, drawn_on_mesh(options, name, problem, schedules));
  const Picture picture = picture_of(name, problem, schedules);
  write_output(options.file, options.format == "svg" ? draw_svg(picture) : draw_text(picture));
}

}  // namespace

void add_show(CLI::App& app, int&) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb = app.add_subcommand(
      "show", "Show who sends what to whom, and who holds what after each step.");
  verb->add_option("ALGORITHM", options->algorithm, "COLLECTIVE/ALGORITHM[:parameter=value,...]")
      ->required();
  verb->add_option("-p", options->p, "Ranks");
  verb->add_option("--topology", options->topology,
                   "Where they live: NODESxRANKS, NODESxDOMAINSxRANKS, either with :cyclic, or the "
                   "node of each rank as "
                   "0,0,1,1 (default: all on one node)");
  verb->add_option("--mesh", options->mesh,
                   "Draw the messages along the links of a mesh instead: ROWSxCOLUMNS, or "
                   "torus:ROWSxCOLUMNS, and how many share a link");
  CLI::Option* bytes = verb->add_option(
      "-n", options->bytes,
      "Bytes in all, as 4K or 1M (default: one element for each rank; reductions: of 8 bytes)");
  verb->add_option("--count", options->count, "Elements in all")->excludes(bytes);
  verb->add_option("--root", options->root, "The root, where there is one (default 0)");
  verb->add_flag("--noncommutative", options->noncommutative, "The operator is not commutative");
  verb->add_option("--profile", options->profile,
                   "The machine that parameters are chosen for, and times in a page: a file, or a "
                   "shipped one (default " +
                       default_profile().name + ")");
  verb->add_option("--format", options->format,
                   "text, svg, json, or html: a page that plays the schedules step by step")
      ->check(CLI::IsMember({"text", "svg", "json", "html"}))
      ->capture_default_str();
  verb->add_option("-o", options->file, "Write to this file");
  set_examples(*verb, {"tutti show allgather/bruck -p 6", "tutti show bcast/binomial -p 8 --root 3",
                       "tutti show bcast/chain:segment=4K -p 5 -n 32K",
                       "tutti show allreduce/rabenseifner -p 13 --format svg -o figure-12.svg",
                       "tutti show allreduce/leader:inner=ring --topology 2x3",
                       "tutti show alltoall/bruck -p 4 --format json",
                       "tutti show allgather/ring -p 16 -n 1M --format html -o ring.html",
                       "tutti show bcast/binomial --mesh 4x8"});
  verb->callback([options] { show(*options); });
}

}  // namespace tutti::core::cli
