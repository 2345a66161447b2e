// What a node's memory and cores take: latency, copies, reading in place, switches.

#include "tune/mpi/node.hpp"

#include <tutti/tutti.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "execute/node/neighbour_memory.hpp"
#include "model/estimate.hpp"
#include "request/request.hpp"
#include "select/profiles.hpp"
#include "timing/cell_call.hpp"
#include "timing/simulated.hpp"
#include "timing/stopwatch.hpp"
#include "timing/trial.hpp"

namespace tutti::core {
namespace {

/// What reading in the other rank's memory takes, by pass, in seconds: of the line through 64 KB
/// and 1 MB. Nothing where the system does not allow it. Both ranks of a node call it, and read at
/// the same time.
struct ReadingLines {
  std::vector<double> begin, byte;
};
ReadingLines reading_lines(MPI_Comm comm) {
  constexpr std::size_t some = 64 * 1024, many = 1024 * 1024;
  constexpr int passes = 30;
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  const std::vector<char> source(many, 1);
  ProcessMemory mine{getpid(), reinterpret_cast<std::uintptr_t>(source.data())}, other{};
  PMPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, 1 - rank, 0, &other, sizeof other, MPI_BYTE, 1 - rank,
                0, comm, MPI_STATUS_IGNORE);
  const auto seconds = reading_times(other, {some, many}, 1 + passes, [&] { PMPI_Barrier(comm); });
  ReadingLines lines;
  for (std::size_t pass = 1; !seconds.empty() && pass <= passes; ++pass) {  // the first warms up
    const double few = seconds[0][pass], all = seconds[1][pass];
    const double byte = std::max(0.0, all - few) / static_cast<double>(many - some);
    lines.byte.push_back(byte);
    lines.begin.push_back(std::max(0.0, few - static_cast<double>(some) * byte));
  }
  PMPI_Barrier(comm);
  return lines;
}

/// Whether messages stand in memory that both ranks share; else the MPI takes each of them.
bool share_memory(MPI_Comm comm) {
  std::array<int, 2> nodes{}, domains{};
  tutti_node_transport transport{};
  return tutti_topology(comm, nodes.data(), domains.data(), &transport) == MPI_SUCCESS &&
         std::string_view(transport.way) != "off";
}

/// A call that is timed to see its switches, and what is known of it.
struct SmallCall {
  std::unique_ptr<CellCall> cell_call;
  Candidate candidate;
  double none, each;  // seconds without switches; how many there are
};

SmallCall small_call(MPI_Comm comm, int ranks, const char* text, Machine machine) {
  const Request request = parse_request(text);
  const Cell cell{.collective = request.algorithm->collective, .p = ranks, .bytes = 8};
  Problem problem = cell.problem();
  problem.topology = std::make_shared<Topology>(Topology::one_node(ranks));
  const auto seconds = [&](double switching) {
    machine.node.switching = switching;
    return estimate(problem, *request.algorithm, request.algorithm->resolve(problem, machine.rates),
                    machine);
  };
  const double none = seconds(0), each = seconds(1) - none;
  auto cell_call = std::make_unique<CellCall>(comm, cell);
  Candidate candidate{text,
                      [call = cell_call.get(), number = number_of(text)] {
                        tutti_use_next(number);
                        return call->call(tutti_calls());
                      },
                      true};
  return {std::move(cell_call), std::move(candidate), none, each};
}

}  // namespace

void set_node_rates(MPI_Comm comm, const Samples& samples, int cores, Profile& profile) {
  const NodeFit fit =
      node_fit(points_of(samples, samples.exchange), points_of(samples, samples.one_way),
               median_of(samples.message).value);
  NodeRates rates = *default_profile().node;  // the switch is measured later, or not
  rates.latency = fit.latency;
  rates.message = fit.message;
  rates.byte = fit.byte;
  rates.across = 1;  // measured later, or not
  rates.again = share_memory(comm) ? 0 : 1;
  rates.cores = is_simulated ? 0 : cores;  // simulated nodes have theirs
  for (const auto& [name, value] : {std::pair{"latency", &NodeFit::latency},
                                    {"message", &NodeFit::message},
                                    {"copy", &NodeFit::byte}})
    profile.uncertainty[name] =
        over_passes(samples, [&, value = value](std::size_t pass) {
          return node_fit(pass_of(samples, samples.exchange, pass),
                          pass_of(samples, samples.one_way, pass), samples.message[pass]).*
                 value;
        }).half_width();
  if (is_simulated) {
    rates.attach = 0;
  } else if (const ReadingLines lines = reading_lines(comm); !lines.byte.empty()) {
    const Median attach = median_of(lines.begin), byte = median_of(lines.byte);
    rates.attach = attach.value;
    profile.uncertainty["attach"] = attach.half_width();
    if (fit.byte > 0) {
      rates.reading = byte.value / fit.byte;
      profile.uncertainty["attach_copies"] = byte.half_width();
    }
  }
  profile.node = rates;
}

void set_switching(MPI_Comm comm, double budget, Profile& profile) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  const Topology node = Topology::one_node(ranks);
  const Machine machine = profile.machine_for(&node);
  std::vector<SmallCall> calls;
  std::vector<Candidate> candidates;
  for (const char* text : {"barrier/dissemination", "allreduce/recursive_doubling",
                           "bcast/binomial", "allgather/ring"}) {
    calls.push_back(small_call(comm, ranks, text, machine));
    candidates.push_back(calls.back().candidate);
  }
  Stopwatch stopwatch(comm);
  const auto samples = stopwatch.measure(candidates, {0.02, budget}, Stopwatch::Start::barrier);
  std::vector<double> found;
  for (std::size_t i = 0; i < samples.size(); ++i)
    found.push_back(std::max(0.0, (median_of(samples[i]).value - calls[i].none) / calls[i].each));
  const Median middle = median_of(found);
  profile.node->switching = middle.value;
  // What the calls say differs by more than any of them is uncertain.
  profile.uncertainty["switch"] = middle.half_width();
}

}  // namespace tutti::core
