#include "api/trace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "api/choose.hpp"
#include "api/knowledge.hpp"
#include "api/mpi_name.hpp"
#include "api/native.hpp"
#include "api/operation.hpp"
#include "api/settings.hpp"
#include "execute/trace.hpp"

namespace tutti {

namespace {

/// A rank keeps so many events at most, and all together so many.
constexpr std::size_t most_events = 1u << 18, most_events_of_all = 1u << 21;

/// The quickest of so many round trips tells how clocks differ.
constexpr int round_trips = 100;

std::int64_t clock_now() {
#ifdef TUTTI_SIMULATED
  return static_cast<std::int64_t>(PMPI_Wtime() * 1e9);
#else
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
#endif
}

/// Processes of one running kernel, and of one namespace of times in it, have one clock.
std::string clock_name() {
#ifdef TUTTI_SIMULATED
  return "simulated";
#else
  std::string name;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> name;
  std::error_code error;
  name += std::filesystem::read_symlink("/proc/self/ns/time", error).string();
  return name;
#endif
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

/// What is recorded, and what that takes. Never destroyed: a call may end at the very end.
struct Tracing {
  MPI_Comm comm = MPI_COMM_NULL;  // the world, for messages of our own
  int rank = 0, p = 1;
  std::vector<int> clocks;  // of each rank: the first rank that has the same
  ClockOffset offset;
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

/// Of each rank the first one with the same name.
std::vector<int> alike(const std::string& mine, MPI_Comm comm, int p) {
  constexpr std::size_t length = 128;
  std::vector<char> name(length), names(length * static_cast<std::size_t>(p));
  mine.copy(name.data(), length - 1);
  native().allgather(name.data(), length, MPI_CHAR, names.data(), length, MPI_CHAR, comm);
  std::map<std::string, int> first;
  std::vector<int> result;
  for (int r = 0; r < p; ++r)
    result.push_back(
        first.try_emplace(&names[length * static_cast<std::size_t>(r)], r).first->second);
  return result;
}

/// What this rank's clock lacks against rank 0's, and how wrong that may be, in nanoseconds.
/// Collective. One rank of each clock finds it out for all.
std::pair<double, double> compare_clocks(const Tracing& of) {
  constexpr int tag = 1;
  double found[2] = {0, 0};
  for (int other = 1; other < of.p; ++other) {
    if (of.clocks[other] != other) continue;
    std::int64_t quickest = INT64_MAX;
    for (int i = 0; i < round_trips; ++i) {
      if (of.rank == 0) {
        std::int64_t answer[2] = {0, 0};  // how long it took, and the middle of it
        const std::int64_t begin = clock_now();
        PMPI_Send(nullptr, 0, MPI_BYTE, other, tag, of.comm);
        PMPI_Recv(nullptr, 0, MPI_BYTE, other, tag, of.comm, MPI_STATUS_IGNORE);
        const std::int64_t end = clock_now();
        answer[0] = end - begin;
        answer[1] = begin + (end - begin) / 2;
        PMPI_Send(answer, sizeof answer, MPI_BYTE, other, tag, of.comm);
      } else if (of.rank == other) {
        std::int64_t answer[2];
        PMPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, of.comm, MPI_STATUS_IGNORE);
        const std::int64_t here = clock_now();
        PMPI_Send(nullptr, 0, MPI_BYTE, 0, tag, of.comm);
        PMPI_Recv(answer, sizeof answer, MPI_BYTE, 0, tag, of.comm, MPI_STATUS_IGNORE);
        if (answer[0] >= quickest) continue;
        quickest = answer[0];
        found[0] = static_cast<double>(answer[1] - here);
        found[1] = static_cast<double>(quickest) / 2;
      }
    }
  }
  // Ranks of one clock take what its first one found.
  std::vector<double> all(2 * static_cast<std::size_t>(of.p));
  native().allgather(found, 2, MPI_DOUBLE, all.data(), 2, MPI_DOUBLE, of.comm);
  const auto first = 2 * static_cast<std::size_t>(of.clocks[of.rank]);
  return {all[first], all[first + 1]};
}

/// All ranks' traces at rank 0, one after the other.
std::vector<RankTrace> gather(const RankTrace& mine, const Tracing& of) {
  constexpr int tag = 2;
  std::vector<RankTrace> all;
  if (of.rank == 0) {
    all.push_back(mine);
    for (int r = 1; r < of.p; ++r) {
      std::uint64_t length = 0;
      PMPI_Recv(&length, sizeof length, MPI_BYTE, r, tag, of.comm, MPI_STATUS_IGNORE);
      std::string bytes(length, '\0');
      PMPI_Recv(bytes.data(), static_cast<int>(length), MPI_BYTE, r, tag, of.comm,
                MPI_STATUS_IGNORE);
      all.push_back(unpack(bytes));
    }
    return all;
  }
  const std::string bytes = pack(mine);  // most_events keep it below what an int counts
  const std::uint64_t length = bytes.size();
  PMPI_Send(&length, sizeof length, MPI_BYTE, 0, tag, of.comm);
  PMPI_Send(bytes.data(), static_cast<int>(length), MPI_BYTE, 0, tag, of.comm);
  return all;
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
  std::ofstream file(path);
  file << to_chrome(trace, std::string_view(fields).substr(1, fields.size() - 2));
  file.flush();
  if (!file) fmt::print(stderr, "tutti: TUTTI_TRACE: cannot write '{}'\n", path);
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
  const auto [offset, error] = compare_clocks(mine);
  mine.offset.last = offset;
  mine.offset.last_time = clock_now();
  mine.offset.error = std::max(mine.offset.error, error);
  const Recorder& noted = *mine.recorder;
  const RankTrace trace{
      host_name(),    mine.offset,     noted.events(),         noted.calls(),
      noted.labels(), communicators(), noted.dropped_events(), noted.dropped_calls()};
  const std::vector<RankTrace> all = gather(trace, mine);
  if (mine.rank == 0) write(merge(all), settings().trace);
  PMPI_Comm_free(&mine.comm);
}

void begin() {
  Tracing& mine = tracing();
  PMPI_Comm_rank(MPI_COMM_WORLD, &mine.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &mine.p);
  MPI_Group group;
  PMPI_Comm_group(MPI_COMM_WORLD, &group);
  PMPI_Comm_create(MPI_COMM_WORLD, group, &mine.comm);
  PMPI_Group_free(&group);
  mine.clocks = alike(clock_name(), mine.comm, mine.p);
  const auto [offset, error] = compare_clocks(mine);
  mine.offset = {clock_now(), clock_now(), offset, offset, error, mine.clocks[mine.rank]};
  mine.recorder = std::make_unique<Recorder>(
      std::min(most_events, most_events_of_all / static_cast<std::size_t>(mine.p)), clock_now);
  recorder = mine.recorder.get();
  // MPI_Finalize first frees what hangs on MPI_COMM_SELF, while the MPI still works.
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(
      MPI_COMM_NULL_COPY_FN,
      [](MPI_Comm, int, void*, void*) -> int {
        finish();
        return MPI_SUCCESS;
      },
      &key, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
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

void TracedNative::begin(const ExplainRow& row, const Operation* operation,
                         std::optional<std::size_t> bytes) {
  if (operation != nullptr) {
    bytes = common_bytes(operation->call);
    call_.key = operation->native_key();
  }
  call_.key.is_native = true;
  call_.number = recorder_->next_call();
  call_.label = trace_label(*recorder_, row);
  call_.knows_bytes = bytes.has_value();
  call_.bytes = bytes.value_or(0);
  call_.begin = recorder_->now();
}

void TracedNative::end() {
  call_.end = recorder_->now();
  recorder_->note(call_);
}

}  // namespace tutti
