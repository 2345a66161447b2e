// Notes calls on communicators while the program runs, and gathers the record when it ends.

#include "api/watch/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "api/machine/knowledge.hpp"
#include "api/process/gather.hpp"
#include "api/process/keyval.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "measure/recorded.hpp"
#include "schedule/bytes.hpp"
#include "schedule/whole_file.hpp"
#include "select/choose.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

/// Arrivals that are kept of calls that are alike; fewer in a large world, where rank 0 gets those
/// of all ranks.
constexpr std::size_t most_arrivals = 1024, fewest_arrivals = 64;
constexpr std::size_t most_of_a_world = std::size_t{1} << 18;
/// Those of a process, whatever it calls: 32 MB.
constexpr std::size_t most_of_a_process = std::size_t{1} << 20;

/// What this rank's part of a call's data is: of a v-operation its own block, or what it sends;
/// else all.
std::size_t bytes_of(const Call& call) {
  switch (call.collective) {
    case Collective::barrier: return 0;
    case Collective::scatterv:
    case Collective::gatherv: return call.count * call.element_bytes;
    case Collective::alltoallv:
    case Collective::alltoallw: {
      std::size_t sum = 0;
      for (const std::size_t count : call.send_counts) sum += count;
      return sum * call.element_bytes;
    }
    default: return call.total() * call.element_bytes;
  }
}

}  // namespace

/// What is noted of a communicator, or of several, one after the other, with the same ranks.
class CommunicatorRecord {
 public:
  CommunicatorRecord(std::vector<int> ranks, std::size_t split, int number)
      : told{.ranks = std::move(ranks), .split = split, .number = number} {}

  void note(const RecordedCall& call);

  bool is_like(const std::vector<int>& ranks, std::size_t split) const {
    return told.ranks == ranks && told.split == split;
  }

  RecordedCommunicator told;
  bool alive = true;

 private:
  struct Key {
    const ExplainRow* row;
    int size_class;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<const void*>{}(key.row) * 31 + static_cast<std::size_t>(key.size_class + 1);
    }
  };
  RecordedRow& make_row(const RecordedCall& call, int size_class);

  std::uint64_t calls_ = 0;  // in which ranks wait for each other: equal on all ranks
  std::unordered_map<Key, RecordedRow*, Hash> by_key_;
  Key last_{nullptr, 0};
  RecordedRow* last_row_ = nullptr;
};

namespace {

struct Records {
  std::mutex mutex;
  std::deque<CommunicatorRecord> all;  // they stay where they are
  Clocks clocks;
  std::int64_t begin = 0;
  std::size_t most_of_a_row = most_arrivals;
  std::atomic<std::size_t> arrivals{0};  // that rows may keep, in all
};

/// Never destroyed: calls may be recorded until the very end.
Records& records_here() {
  static auto* const value = new Records;
  return *value;
}

}  // namespace

RecordedRow& CommunicatorRecord::make_row(const RecordedCall& call, int size_class) {
  RecordedRow& row = told.rows.emplace_back();
  row.collective = call.row.collective;
  row.algorithm = call.row.algorithm;
  row.parameters = call.row.parameters;
  row.why = call.row.why;
  row.size_class = size_class;
  if (call.call == nullptr) return row;
  row.element = std::max<std::size_t>(1, call.call->element_bytes);
  row.commutative = call.call->commutative;
  row.work = call.call->work;
  row.root = call.call->root;
  row.knows_bytes = true;
  if (told.topology.empty() && call.call->topology) told.topology = call.call->topology->describe();
  told.cores = call.cores;
  Records& here = records_here();
  if (told.is_one() || !call.waits) return row;
  if (here.arrivals.fetch_add(here.most_of_a_row) + here.most_of_a_row <= most_of_a_process)
    row.arrivals = Arrivals(here.most_of_a_row);
  return row;
}

void CommunicatorRecord::note(const RecordedCall& call) {
  // Calls of all sizes that the MPI does may have one row.
  const int size_class = call.row.size_class >= 0 ? call.row.size_class
                         : call.call != nullptr   ? size_class_of(common_bytes(*call.call))
                                                  : -1;
  const Key key{&call.row, size_class};
  if (!(key == last_)) {
    const auto [found, is_new] = by_key_.try_emplace(key, nullptr);
    if (is_new) found->second = &make_row(call, size_class);
    last_ = key;
    last_row_ = found->second;
  }
  RecordedRow& row = *last_row_;
  const std::int64_t time = call.end - call.begin;
  ++row.calls;
  row.nanoseconds += static_cast<std::uint64_t>(time);
  if (call.waits) ++calls_;
  if (call.call == nullptr) return;
  row.bytes += bytes_of(*call.call);
  row.arrivals.note({calls_, call.begin, time, call.call->root});
}

namespace {

/// Grows whenever a communicator is freed.
std::atomic<unsigned> records_generation{0};

int record_keyval() {
  static const int key = make_keyval([](MPI_Comm, int, void* value, void*) -> int {
    const std::scoped_lock lock(records_here().mutex);
    static_cast<CommunicatorRecord*>(value)->alive = false;
    records_generation.fetch_add(1, std::memory_order_acq_rel);
    return MPI_SUCCESS;
  });
  return key;
}

/// A group's ranks as the world numbers them.
std::vector<int> world_ranks(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> places(static_cast<std::size_t>(size)), ranks(places);
  for (int i = 0; i < size; ++i) places[static_cast<std::size_t>(i)] = i;
  MPI_Group world;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, size, places.data(), world, ranks.data());
  PMPI_Group_free(&world);
  for (int& rank : ranks)
    if (rank == MPI_UNDEFINED) rank = -1;
  return ranks;
}

/// What the program calls it; not what an MPI makes up.
std::string given_name(MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return "world";
  char text[MPI_MAX_OBJECT_NAME + 1] = "";
  int length = 0;
  PMPI_Comm_get_name(comm, text, &length);
  const std::string name(text);
  return name.starts_with("MPI") ? "" : name;
}

/// The record of a communicator; no message is needed to make it.
CommunicatorRecord* find_record(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  void* found = nullptr;
  int exists = 0, inter = 0;
  if (PMPI_Comm_get_attr(comm, record_keyval(), &found, &exists) != MPI_SUCCESS) return nullptr;
  if (exists) return static_cast<CommunicatorRecord*>(found);
  MPI_Group group;
  PMPI_Comm_group(comm, &group);
  std::vector<int> ranks = world_ranks(group);
  PMPI_Group_free(&group);
  std::size_t split = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) {
    PMPI_Comm_remote_group(comm, &group);
    std::vector<int> others = world_ranks(group);
    PMPI_Group_free(&group);
    // Both sides tell the same: the group of the least rank is the first.
    if (others < ranks) std::swap(others, ranks);
    split = ranks.size();
    ranks.insert(ranks.end(), others.begin(), others.end());
  }
  std::string name = given_name(comm);
  Records& here = records_here();
  const std::scoped_lock lock(here.mutex);
  // One that is freed has its place taken by the next with the same ranks: programs make
  // communicators in loops.
  CommunicatorRecord* record = nullptr;
  int number = 0;
  for (CommunicatorRecord& each : here.all) {
    if (!each.is_like(ranks, split)) continue;
    ++number;
    if (!each.alive && record == nullptr && comm != MPI_COMM_WORLD) record = &each;
  }
  if (record == nullptr) record = &here.all.emplace_back(std::move(ranks), split, number);
  record->alive = true;
  if (record->told.name.empty()) record->told.name = std::move(name);
  PMPI_Comm_set_attr(comm, record_keyval(), record);
  return record;
}

CommunicatorRecord* record_of(MPI_Comm comm) {
  // As in CommunicatorState::of.
  thread_local struct {
    MPI_Comm comm = MPI_COMM_NULL;
    CommunicatorRecord* record = nullptr;
    unsigned generation = 0;
  } last;
  const unsigned now = records_generation.load(std::memory_order_acquire);
  if (last.comm == comm && last.generation == now && last.record != nullptr) return last.record;
  last = {comm, find_record(comm), now};
  return last.record;
}

/// The arrivals of a row, of all ranks of the world at rank 0, on its clock.
std::vector<std::vector<Arrival>> gather_arrivals(Recorded::RowKey key, int rank, int p) {
  std::vector<Arrival> mine;
  for (const CommunicatorRecord& each : records_here().all) {
    if (each.told.key() != key.communicator) continue;
    for (const RecordedRow& row : each.told.rows)
      if (row.key() == key.row) mine = row.arrivals.kept();
  }
  for (Arrival& each : mine) each.begin = records_here().clocks.at_rank_0(each.begin);
  const int bytes = static_cast<int>(mine.size() * sizeof(Arrival));
  std::vector<int> lengths(static_cast<std::size_t>(p)), places(lengths);
  native().gather(&bytes, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<Arrival> all;
  if (rank == 0) {
    int total = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) places[i] = total, total += lengths[i];
    all.resize(static_cast<std::size_t>(total) / sizeof(Arrival));
  }
  native().gatherv(mine.data(), bytes, MPI_BYTE, all.data(), lengths.data(), places.data(),
                   MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<std::vector<Arrival>> by_rank;
  for (std::size_t r = 0; rank == 0 && r < lengths.size(); ++r) {
    const auto begin = all.begin() + places[r] / static_cast<std::ptrdiff_t>(sizeof(Arrival));
    by_rank.emplace_back(begin, begin + lengths[r] / static_cast<std::ptrdiff_t>(sizeof(Arrival)));
  }
  return by_rank;
}

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

RecordedRun run_of(int p) {
  const Records& here = records_here();
  return {.command = command_line(),
          .version = TUTTI_VERSION,
          .mpi = mpi_name(),
          .ranks = p,
          .wall_seconds = static_cast<double>(clock_now() - here.begin) * 1e-9,
          .clocks = here.clocks.number(),
          .clock_error = here.clocks.error(),
          .profile = known_profile()};
}

void write_together() {
  int rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  Records& here = records_here();
  here.clocks.end();
  std::vector<const RecordedCommunicator*> mine;
  for (const CommunicatorRecord& each : here.all) mine.push_back(&each.told);
  Recorded recorded(gather_texts(pack_recorded(mine, rank)));
  std::vector<Recorded::RowKey> keys = recorded.rows_to_match();
  auto number = static_cast<int>(keys.size());
  native().bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  keys.resize(static_cast<std::size_t>(number));
  static_assert(sizeof keys[0] == 2 * sizeof(std::uint64_t));
  native().bcast(keys.data(), 2 * number, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (const Recorded::RowKey key : keys)
    if (const auto arrivals = gather_arrivals(key, rank, p); rank == 0)
      recorded.match(key, arrivals);
  if (rank != 0) return;
  const std::string& file = settings().record;
  if (write_whole(file, format_record(recorded.document(run_of(p)))))
    fmt::print(stderr, "tutti: the record is in {}: tutti report {} shows it\n", file, file);
  else
    fmt::print(stderr, "tutti: TUTTI_RECORD: cannot write '{}'\n", file);
}

}  // namespace

bool records() { return !settings().record.empty(); }

void record(const RecordedCall& call) {
  if (CommunicatorRecord* const record = record_of(call.comm)) record->note(call);
}

void begin_record() {
  int rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  if (const std::string why = cannot_write(settings().record); rank == 0 && !why.empty())
    end_program(fmt::format("TUTTI_RECORD: {}", why), true);
  Records& here = records_here();
  here.most_of_a_row =
      std::clamp(most_of_a_world / static_cast<std::size_t>(p), fewest_arrivals, most_arrivals);
  here.clocks.begin();
  here.begin = clock_now();
}

void write_record() {
  try {
    write_together();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti: TUTTI_RECORD: nothing is written: %s\n", error.what());
  }
}

}  // namespace tutti::core
