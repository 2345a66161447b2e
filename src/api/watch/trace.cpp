// Gathers the trace of all ranks when the program ends, and writes it.

#include "api/watch/trace.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

#include "api/machine/knowledge.hpp"
#include "api/process/finalize.hpp"
#include "api/process/gather.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "api/watch/clocks.hpp"
#include "execute/trace.hpp"
#include "schedule/whole_file.hpp"
#include "select/choose.hpp"
#include "select/profiles.hpp"

namespace tutti::core {

namespace {

/// A rank keeps so many events at most, and all together so many.
constexpr std::size_t most_events = 1u << 18, most_events_of_all = 1u << 21;

/// What is recorded, and what that takes. Never destroyed: a call may end at the very end.
struct Tracing {
  Clocks clocks;
  std::unique_ptr<Recorder> recorder;
};
Tracing& tracing() {
  static auto* const value = new Tracing;
  return *value;
}

std::mutex communicators_mutex;
std::map<std::int64_t, std::vector<int>>& communicators() {
  static auto* const value = new std::map<std::int64_t, std::vector<int>>;
  return *value;
}

void write(const Trace& trace, const std::string& path) {
  const Profile profile = known_profile();
  const Rates& rates = profile.rates;
  const nlohmann::ordered_json more = {{"version", TUTTI_VERSION},
                                       {"mpi", mpi_name()},
                                       {"profile",
                                        {{"name", profile.name},
                                         {"alpha_us", rates.alpha * 1e6},
                                         {"beta_ns_per_byte", rates.beta * 1e9},
                                         {"alpha_uni_us", rates.alpha_uni * 1e6},
                                         {"beta_uni_ns_per_byte", rates.beta_uni * 1e9},
                                         {"gamma_ns_per_byte", rates.gamma * 1e9}}}};
  const std::string fields = more.dump();
  if (!write_whole(path, to_chrome(trace, std::string_view(fields).substr(1, fields.size() - 2))))
    fmt::print(stderr, "tutti: TUTTI_TRACE: cannot write '{}'\n", path);
  std::uint64_t dropped = trace.left_out;
  for (const Trace::RankOfTrace& rank : trace.ranks) dropped += rank.dropped_events;
  if (dropped > 0)
    fmt::print(stderr, "tutti: TUTTI_TRACE: {} events are not in '{}': a rank keeps {}\n", dropped,
               path, std::min(most_events, most_events_of_all / trace.ranks.size()));
}

/// The last comparison of clocks, and the file.
void finish() {
  Tracing& mine = tracing();
  recorder = nullptr;
  mine.clocks.end();
  const Recorder& noted = *mine.recorder;
  const RankTrace trace{
      host_name(),    mine.clocks.offset(), noted.events(),         noted.calls(),
      noted.labels(), communicators(),      noted.dropped_events(), noted.dropped_calls()};
  std::vector<RankTrace> all;  // at rank 0
  for (const std::string& bytes : gather_texts(pack(trace))) all.push_back(unpack(bytes));
  if (!all.empty()) write(merge(all), settings().trace);
}

void begin() {
  Tracing& mine = tracing();
  int p = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  mine.clocks.begin();
  mine.recorder = std::make_unique<Recorder>(
      std::min(most_events, most_events_of_all / static_cast<std::size_t>(p)), clock_now);
  recorder = mine.recorder.get();
  at_finalize(finish);
}

}  // namespace

void trace_world() {
  static std::once_flag once;
  if (!settings().trace.empty()) std::call_once(once, begin);
}

void switch_trace(bool on) { recorder = on ? tracing().recorder.get() : nullptr; }

std::int64_t trace_id(MPI_Comm comm) {
  if (settings().trace.empty()) return -1;
  static std::atomic<std::int64_t> numbers{0};
  int world = 0, rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &world);
  std::int64_t id = (static_cast<std::int64_t>(world) << 32) + numbers.fetch_add(1);
  std::vector<int> ranks = {world};
  if (comm != MPI_COMM_NULL) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &p);
    native().bcast(&id, sizeof id, MPI_BYTE, 0, comm);
    ranks.resize(static_cast<std::size_t>(p));
    native().allgather(&world, 1, MPI_INT, ranks.data(), 1, MPI_INT, comm);
  }
  const std::scoped_lock lock(communicators_mutex);
  communicators()[id] = std::move(ranks);
  return id;
}

std::uint32_t trace_label(Recorder& to, const ExplainRow& row) {
  return to.label(&row, [&] {
    return fmt::format("{}/{}{}{}", row.collective, row.algorithm,
                       row.parameters.empty() ? "" : ":", row.parameters);
  });
}

}  // namespace tutti::core
