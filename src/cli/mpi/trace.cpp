// The verb tutti trace: runs a collective while the library records what every rank does.

#include <fmt/format.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "api/process/tuning.hpp"
#include "cli/commands.hpp"
#include "cli/mpi/verbs.hpp"
#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "select/environment.hpp"
#include "timing/provenance.hpp"
#include "timing/trial.hpp"

namespace tutti::core::cli {
namespace {

/// Calls that are not recorded: the first ones build plans and connections.
constexpr int warm_ups = 2;

void check(const Request& request, const Problem& problem) {
  if (const std::string why = request.algorithm->unmet(problem, request.parameters); !why.empty())
    throw std::invalid_argument(fmt::format("{}: {}", request.algorithm->full_name(), why));
  request.algorithm->resolve(problem, {}, request.parameters);
}

}  // namespace

int run_trace(const TraceOptions& options) {
  check_environment(environ);
  int rank = 0, p = 0;
  const MPI_Comm world = MPI_COMM_WORLD;
  PMPI_Comm_rank(world, &rank);
  PMPI_Comm_size(world, &p);
  TracePlan plan = plan_of(options);
  plan.cell.p = p;
  if (plan.cell.root >= p)
    throw std::invalid_argument(
        fmt::format("--root {}: there are ranks 0 to {}", plan.cell.root, p - 1));
  Problem problem = plan.cell.problem();
  tutti_tune_settings({.trace = options.file.c_str()});
  std::error_code gone;
  if (rank == 0) std::filesystem::remove(options.file, gone);  // no old one is taken for the new
  PMPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  problem.topology = topology_seen(world);
  tutti_trace(0);
  for (const std::string& name : plan.algorithms)
    if (!name.empty() && name != "native") check(parse_request(name), problem);

  CellCall cell_call(world, plan.cell);
  const std::string collective(name_of(plan.cell.collective));
  for (const std::string& name : plan.algorithms) {
    const bool is_native = name == "native";
    tutti_force(collective.c_str(), is_native ? "native" : "");
    const int number = is_native || name.empty() ? 0 : number_of(name);
    for (int i = 0; i < warm_ups + options.repetitions; ++i) {
      cell_call.fill();
      tutti_trace(i >= warm_ups);
      PMPI_Barrier(world);
      run_once(world, cell_call, tutti_calls(), number);
      tutti_trace(0);
    }
  }
  return fine;
}

int tell_trace(const TraceOptions& options) {
  std::ifstream in(options.file);
  const auto json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (json.is_discarded()) return bad_input;  // the library has said so
  const auto& trace = json["tutti"];
  std::cout << fmt::format("{} ranks, {} messages, {} received before they were sent; {}\n\n",
                           trace["ranks"].get<int>(), trace["messages"].get<long>(),
                           trace["received_before_sent"].get<long>(), options.file);
  std::cout << fmt::format("{:<36}{:>9}{:>12}{:>15}{:>11}{:>7}{:>7}\n", "call", "bytes", "us",
                           "communication", "combining", "idle", "away");
  for (const auto& call : trace["calls"]) {
    const double us = call["us"];
    std::string shares;
    for (const auto& [field, width] :
         {std::pair{"communication_us", 13}, {"combining_us", 9}, {"idle_us", 5}, {"away_us", 5}}) {
      double sum = 0;
      for (const auto& each : call["ranks"]) sum += each[field].get<double>();
      const double all = us * static_cast<double>(call["ranks"].size());
      shares += fmt::format("{:>{}.0f} %", all > 0 ? 100 * sum / all : 0.0, width);
    }
    std::cout << fmt::format(
        "{:<36}{:>9}{:>12.1f}{}\n", call["name"].get<std::string>(),
        call.contains("bytes") ? format_bytes(call["bytes"].get<std::size_t>()) : "-", us, shares);
  }
  return std::cout.flush() ? fine : bad_input;
}

}  // namespace tutti::core::cli
