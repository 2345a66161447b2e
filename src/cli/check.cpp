// The verb tutti check: proves algorithms, all cores at work.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "cli/commands.hpp"
#include "cli/conflicts.hpp"
#include "cli/parallel.hpp"
#include "request/request.hpp"
#include "verify/cases.hpp"
#include "verify/verify.hpp"

namespace tutti::core::cli {
namespace {

constexpr int most_p = 4096;  // a proof for more takes hours

struct CheckOptions {
  std::string what, topology_text, mesh;
  int min_p = 1, max_p = 64;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool large = false, json = false;
  std::shared_ptr<const Topology> topology;  // none: those of the proof
};

/// All cases of one algorithm at one p, with the parameters asked for.
struct Task {
  Request request;
  int p = 1;
  std::shared_ptr<const Topology> topology{};

  const Algorithm& algorithm() const { return *request.algorithm; }
};

struct Result {
  std::size_t cases = 0, schedules = 0, wrong = 0;
  std::vector<Finding> findings;
};

std::vector<Request> chosen(const std::string& what) {
  if (what.find('/') != std::string::npos) return {parse_request(what)};
  const auto collective = what.empty() ? std::nullopt : std::optional(parse_collective(what));
  std::vector<Request> all;
  for (const Algorithm& algorithm : registry())
    if (!collective || algorithm.collective == *collective) all.push_back({&algorithm, {}});
  return all;
}

std::vector<Task> tasks_of(const CheckOptions& options) {
  const auto requests = chosen(options.what);
  std::vector<Task> tasks;
  if (options.topology) {
    for (const Request& request : requests)
      tasks.push_back({request, options.topology->p(), options.topology});
    return tasks;
  }
  for (int p = options.max_p; p >= options.min_p; --p)  // the long ones first
    for (const Request& request : requests) tasks.push_back({request, p});
  return tasks;
}

const std::set<int> large_samples{257, 511, 512, 1000, 1024};

/// Samples of p; the circulant broadcast, whose construction is the least obvious, at every p.
std::vector<Task> large_tasks_of(const CheckOptions& options) {
  std::vector<Task> tasks;
  for (const Request& request : chosen(options.what))
    for (int p = *large_samples.rbegin(); p > 0; --p)
      if (large_samples.contains(p) || request.algorithm->full_name() == "bcast/circulant")
        tasks.push_back({request, p});
  return tasks;
}

std::vector<Case> cases_of(const Task& task, bool large) {
  const Parameters& given = task.request.parameters;
  if (!large) return proof_cases(task.algorithm(), task.p, given, task.topology);
  std::vector<Case> cases = proof_cases_large(task.algorithm(), task.p, given);
  // Between the samples one root is enough: ranks are relative to it.
  if (!large_samples.contains(task.p))
    std::erase_if(cases, [&](const Case& each) { return each.problem.root != task.p / 2; });
  return cases;
}

std::string where(const Problem& problem) {
  return problem.topology ? fmt::format(", topology {}", problem.topology->describe()) : "";
}

Result prove(const Task& task, bool large) {
  Result result;
  for (const Case& each : cases_of(task, large)) {
    std::set<Rank> wrong;
    for (Finding& finding : verify(each.problem, task.algorithm(), each.parameters)) {
      wrong.insert(finding.rank);
      finding.message += fmt::format(" ({}{})", each.problem.describe(), where(each.problem));
      result.findings.push_back(std::move(finding));
    }
    ++result.cases;
    result.schedules += static_cast<std::size_t>(task.p);
    result.wrong += wrong.size();
  }
  return result;
}

std::vector<Result> prove_all(const std::vector<Task>& tasks, const CheckOptions& options) {
  std::vector<Result> results(tasks.size());
  in_parallel(
      tasks.size(), options.jobs,
      [&](std::size_t i) { results[i] = prove(tasks[i], options.large); },
      [&](std::size_t i) {
        return fmt::format("{}, p = {}", tasks[i].algorithm().full_name(), tasks[i].p);
      });
  return results;
}

nlohmann::ordered_json json_of_finding(const Finding& finding) {
  return {{"algorithm", finding.algorithm}, {"p", finding.p},           {"rank", finding.rank},
          {"round", finding.round},         {"action", finding.action}, {"index", finding.index},
          {"message", finding.message}};
}

void print_json(const Result& total) {
  auto findings = nlohmann::ordered_json::array();
  for (const Finding& finding : total.findings) findings.push_back(json_of_finding(finding));
  std::cout << nlohmann::ordered_json{{"cases", total.cases},
                                      {"schedules", total.schedules},
                                      {"wrong", total.wrong},
                                      {"findings", findings}}
                   .dump(2)
            << "\n";
}

void check(CheckOptions& options, int& status) {
  if (!options.mesh.empty())
    return check_conflicts({options.mesh, options.what, options.jobs, options.json}, status);
  if (!options.topology_text.empty()) {
    options.topology = parse_topology(options.topology_text);
    options.min_p = options.max_p = options.topology->p();
  }
  if (options.min_p < 1 || options.max_p < options.min_p)
    throw std::invalid_argument(fmt::format("no p from {} to {}: write 1 <= --min-p <= --max-p",
                                            options.min_p, options.max_p));
  if (options.max_p > most_p)
    throw std::invalid_argument(
        fmt::format("--max-p {} takes too long: at most {}", options.max_p, most_p));
  const std::vector<Task> tasks = options.large ? large_tasks_of(options) : tasks_of(options);
  Result total;
  for (const Result& result : prove_all(tasks, options)) {
    total.cases += result.cases;
    total.schedules += result.schedules;
    total.wrong += result.wrong;
    total.findings.insert(total.findings.end(), result.findings.begin(), result.findings.end());
  }
  if (total.cases == 0)
    throw std::invalid_argument(fmt::format(
        "nothing to prove: {} {}", options.what,
        tasks.back().algorithm().unmet({.p = tasks.back().p, .topology = tasks.back().topology},
                                       tasks.back().request.parameters)));
  if (total.wrong > 0) status = findings;
  if (options.json) return print_json(total);
  for (const Finding& finding : total.findings) std::cout << finding.describe() << "\n";
  std::cout << styled(fmt::format("{} schedules checked, {} wrong", total.schedules, total.wrong),
                      total.wrong > 0 ? "31" : "32")
            << "\n";
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand(
      "check", "Prove algorithms: the right data in the right order, no deadlock, no race.");
  verb->add_option("COLLECTIVE[/ALGORITHM]", options->what,
                   "What to prove, with [:parameter=value,...] if wanted; everything if left out");
  CLI::Option* min_p =
      verb->add_option("--min-p", options->min_p, "The fewest ranks")->capture_default_str();
  CLI::Option* max_p =
      verb->add_option("--max-p", options->max_p, "The most ranks")->capture_default_str();
  CLI::Option* large = verb->add_flag(
      "--large", options->large,
      "Instead a few cases each at p = 257, 511, 512, 1000 and 1024, and bcast/circulant "
      "at every p to 1024; takes minutes");
  large->excludes(min_p)->excludes(max_p);
  CLI::Option* topology = verb->add_option("--topology", options->topology_text,
                                           "Only where ranks live like this: NODESxRANKS, "
                                           "NODESxDOMAINSxRANKS, either with :cyclic, or the node "
                                           "of each rank as 0,0,1,1");
  topology->excludes(min_p)->excludes(max_p)->excludes(large);
  verb->add_option("--conflicts", options->mesh,
                   "Instead follow the messages over the links of a mesh ROWSxCOLUMNS or "
                   "torus:4x4x4, one element for each rank, from every root, of more than 64 "
                   "from four: which messages of one step need the same link the same way?")
      ->excludes(min_p)
      ->excludes(max_p)
      ->excludes(large)
      ->excludes(topology);
  verb->add_option("--jobs", options->jobs, "Threads to use (default: one for each core)")
      ->check(CLI::Range(1u, 1024u));
  verb->add_flag("--json", options->json, "Totals and findings as JSON");
  set_examples(*verb, {"tutti check", "tutti check allreduce --max-p 16",
                       "tutti check bcast/circulant --min-p 100 --max-p 128",
                       "tutti check alltoall/bruck:radix=4 --max-p 20",
                       "tutti check allreduce/leader:inner=ring --topology 3x4",
                       "tutti check bcast/binomial --conflicts 1x30"});
  verb->callback([options, &status] { check(*options, status); });
}

}  // namespace tutti::core::cli
