// Who shares a link of a mesh: the findings of tutti check --conflicts, as text and JSON.

#include "cli/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/parallel.hpp"
#include "request/request.hpp"
#include "verify/conflicts.hpp"
#include "verify/verify.hpp"

namespace tutti::core::cli {
namespace {

constexpr int most_on_mesh = 1024;   // of an all-to-all, every message stands in memory
constexpr int most_with_roots = 64;  // to here every root

/// What is known of one algorithm: of all roots the most, or all together.
struct Row {
  Request request;
  std::string unmet;  // why it cannot run; empty if it can
  std::vector<Rank> roots;
  std::size_t steps = 0, messages = 0, conflicts = 0;
  int links = 0, load = 0;
  std::vector<std::pair<Rank, Conflict>> first;  // root, conflict

  std::string name() const { return format_request(*request.algorithm, request.parameters); }
};

/// One algorithm as it was asked for, or all that know nothing of nodes.
std::vector<Row> rows_of(const std::string& what) {
  std::vector<Row> rows;
  if (what.find('/') != std::string::npos) {
    rows.emplace_back().request = parse_request(what);
    return rows;
  }
  const auto collective = what.empty() ? std::nullopt : std::optional(parse_collective(what));
  for (const Algorithm& algorithm : registry())
    if (!algorithm.node_aware && (!collective || algorithm.collective == *collective))
      rows.emplace_back().request.algorithm = &algorithm;
  return rows;
}

std::vector<Rank> roots_of(Collective collective, int p) {
  if (!has_root(collective)) return {0};
  if (p > most_with_roots) return {0, 1, p / 2, p - 1};
  std::vector<Rank> roots;
  for (Rank root = 0; root < p; ++root) roots.push_back(root);
  return roots;
}

void fill(Row& row, const Mesh& mesh, std::size_t named) {
  const Algorithm& algorithm = *row.request.algorithm;
  // An element for each rank, as pictures have it.
  Problem problem =
      Problem::even(algorithm.collective, mesh.p(), static_cast<std::size_t>(mesh.p()));
  problem.element_bytes = usual_element_bytes(algorithm.collective);
  row.unmet = algorithm.unmet(problem, row.request.parameters);
  if (!row.unmet.empty()) return;
  row.roots = roots_of(algorithm.collective, mesh.p());
  for (const Rank root : row.roots) {
    problem.root = root;
    const Parameters parameters =
        algorithm.resolve(problem, default_profile().rates, row.request.parameters);
    const Traffic traffic = traffic_on(mesh, schedules_of(problem, algorithm, parameters), named);
    row.steps = std::max(row.steps, traffic.steps.size());
    row.messages = std::max(row.messages, traffic.messages());
    row.links = std::max(row.links, traffic.links());
    row.load = std::max(row.load, traffic.largest());
    row.conflicts += traffic.conflicts();
    for (const Conflict& conflict : traffic.first)
      if (row.first.size() < named) row.first.emplace_back(root, conflict);
  }
}

void print_json(const Mesh& mesh, const std::vector<Row>& rows) {
  auto algorithms = nlohmann::ordered_json::array(), refused = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    if (!row.unmet.empty()) {
      refused.push_back({{"algorithm", row.name()}, {"unmet", row.unmet}});
      continue;
    }
    auto first = nlohmann::ordered_json::array();
    for (const auto& [root, conflict] : row.first)
      first.push_back({{"root", root},
                       {"step", conflict.step},
                       {"link", {conflict.link.from, mesh.end_of(conflict.link)}},
                       {"messages", conflict.messages}});
    algorithms.push_back({{"algorithm", row.name()},
                          {"roots", row.roots},
                          {"steps", row.steps},
                          {"messages", row.messages},
                          {"links", row.links},
                          {"load", row.load},
                          {"conflicts", row.conflicts},
                          {"first", first}});
  }
  std::cout << nlohmann::ordered_json{{"mesh", mesh.describe()},
                                      {"ranks", mesh.p()},
                                      {"links", mesh.links()},
                                      {"algorithms", algorithms},
                                      {"cannot_run", refused}}
                   .dump(2)
            << "\n";
}

void print(const Mesh& mesh, const std::vector<Row>& rows) {
  std::size_t width = 9, ran = 0, clean = 0;
  for (const Row& row : rows) width = std::max(width, row.name().size());
  std::cout << styled(fmt::format("{:<{}}  roots  steps  messages  links  load  conflicts",
                                  "algorithm", width),
                      "1")
            << "\n";
  for (const Row& row : rows) {
    if (!row.unmet.empty()) continue;
    ++ran;
    clean += row.conflicts == 0;
    const bool rooted = has_root(row.request.algorithm->collective);
    std::cout << fmt::format("{:<{}}  {:>5}  {:>5}  {:>8}  {:>5}  {:>4}  {:>9}\n", row.name(),
                             width, rooted ? std::to_string(row.roots.size()) : "-", row.steps,
                             row.messages, row.links, row.load, row.conflicts);
    for (const auto& [root, conflict] : row.first)
      std::cout << "  " << (rooted ? fmt::format("root {}, ", root) : "")
                << describe(mesh, conflict) << "\n";
  }
  std::string total =
      fmt::format("{}, {} ranks, {} links: {} algorithm{}, {} without conflicts", mesh.describe(),
                  mesh.p(), mesh.links(), ran, ran == 1 ? "" : "s", clean);
  if (ran < rows.size())
    total += fmt::format("; {} cannot run on {} ranks", rows.size() - ran, mesh.p());
  std::cout << styled(total, clean < ran ? "31" : "32") << "\n";
}

}  // namespace

void check_conflicts(const ConflictsOptions& options, int& status) {
  const Mesh mesh = parse_mesh(options.mesh);
  if (mesh.p() > most_on_mesh)
    throw std::invalid_argument(
        fmt::format("--conflicts {} has too many ranks: at most {}", options.mesh, most_on_mesh));
  std::vector<Row> rows = rows_of(options.what);
  // What stands alone is looked at more closely.
  const std::size_t named = rows.size() == 1 ? 5 : 1;
  in_parallel(
      rows.size(), options.jobs, [&](std::size_t i) { fill(rows[i], mesh, named); },
      [&](std::size_t i) { return rows[i].name(); });
  if (rows.size() == 1 && !rows.front().unmet.empty())
    throw std::invalid_argument(fmt::format("{}: {}", rows.front().name(), rows.front().unmet));
  for (const Row& row : rows)
    if (row.conflicts > 0) status = findings;
  options.json ? print_json(mesh, rows) : print(mesh, rows);
}

}  // namespace tutti::core::cli
