#include "api/watch/record.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "api/call/communicator.hpp"
#include "api/choose.hpp"
#include "api/machine/knowledge.hpp"
#include "api/process/gather.hpp"
#include "api/process/keyval.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "measure/arrivals.hpp"
#include "schedule/whole_file.hpp"
#include "select/candidates.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

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

/// Calls on a communicator that are alike.
struct Row {
  std::string collective;  // with what it was called as
  int size_class = -1;
  std::string algorithm, parameters, why;
  // Of the first such call, for predictions.
  std::size_t element = 1;
  bool commutative = true;
  Work work = Work::sum_double;
  Rank root = 0;

  std::uint64_t calls = 0, nanoseconds = 0;
  std::uint64_t bytes = 0;
  bool knows_bytes = false;
  Arrivals arrivals{0};

  /// The same on all ranks.
  std::uint64_t key() const {
    return std::hash<std::string>{}(
        fmt::format("{}|{}|{}|{}|{}", collective, size_class, algorithm, parameters, why));
  }
};

}  // namespace

/// What is noted of a communicator, or of several, one after the other, with the same ranks.
class CommunicatorRecord {
 public:
  CommunicatorRecord(std::vector<int> ranks, std::size_t split, int number)
      : ranks_(std::move(ranks)), split_(split), number_(number) {}

  void note(const RecordedCall& call);

  /// The same on all its ranks.
  std::uint64_t key() const {
    if (is_one()) return name == "world" ? 1 : 0;
    std::string text = fmt::format("{} {}", split_, number_);
    for (const int rank : ranks_) text += fmt::format(" {}", rank);
    return std::hash<std::string>{}(text);
  }
  bool is_like(const std::vector<int>& ranks, std::size_t split) const {
    return ranks_ == ranks && split_ == split;
  }
  /// Of one rank: those of all ranks are told of together.
  bool is_one() const { return ranks_.size() == 1; }

  const std::vector<int>& ranks() const { return ranks_; }
  /// Where the second of two groups begins; 0: there is one.
  std::size_t split() const { return split_; }
  int number() const { return number_; }
  const std::deque<Row>& rows() const { return rows_; }

  std::string name;      // as the program calls it
  std::string topology;  // empty: not known
  int cores = 0;
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
  Row& make_row(const RecordedCall& call, int size_class);

  std::vector<int> ranks_;  // of the world; -1: of another
  std::size_t split_;
  int number_;               // among those alive with the same ranks
  std::uint64_t calls_ = 0;  // in which ranks wait for each other: equal on all ranks
  std::deque<Row> rows_;     // rows stay where they are
  std::unordered_map<Key, Row*, Hash> by_key_;
  Key last_{nullptr, 0};
  Row* last_row_ = nullptr;
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

Row& CommunicatorRecord::make_row(const RecordedCall& call, int size_class) {
  Row& row = rows_.emplace_back();
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
  if (topology.empty() && call.call->topology) topology = call.call->topology->describe();
  if (const CommunicatorState* const state = CommunicatorState::of(call.comm))
    cores = state->cores();
  Records& here = records_here();
  if (is_one() || !call.waits) return row;
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
  Row& row = *last_row_;
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
std::atomic<unsigned> generation{0};

int keyval() {
  static const int key = make_keyval([](MPI_Comm, int, void* value, void*) -> int {
    const std::scoped_lock lock(records_here().mutex);
    static_cast<CommunicatorRecord*>(value)->alive = false;
    generation.fetch_add(1, std::memory_order_acq_rel);
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
  if (PMPI_Comm_get_attr(comm, keyval(), &found, &exists) != MPI_SUCCESS) return nullptr;
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
  if (record->name.empty()) record->name = std::move(name);
  PMPI_Comm_set_attr(comm, keyval(), record);
  return record;
}

CommunicatorRecord* record_of(MPI_Comm comm) {
  // As in CommunicatorState::of.
  thread_local struct {
    MPI_Comm comm = MPI_COMM_NULL;
    CommunicatorRecord* record = nullptr;
    unsigned generation = 0;
  } last;
  const unsigned now = generation.load(std::memory_order_acquire);
  if (last.comm == comm && last.generation == now && last.record != nullptr) return last.record;
  last = {comm, find_record(comm), now};
  return last.record;
}

/// Names of programs and communicators may be any bytes.
std::string as_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// This rank's communicators and rows, without arrivals.
Json my_rows(int rank) {
  Json list = Json::array();
  for (const CommunicatorRecord& each : records_here().all) {
    Json rows = Json::array();
    for (const Row& row : each.rows())
      rows.push_back({{"key", row.key()},
                      {"collective", row.collective},
                      {"size_class", row.size_class},
                      {"algorithm", row.algorithm},
                      {"parameters", row.parameters},
                      {"why", row.why},
                      {"element", row.element},
                      {"commutative", row.commutative},
                      {"work", static_cast<int>(row.work)},
                      {"root", row.root},
                      {"calls", row.calls},
                      {"nanoseconds", row.nanoseconds},
                      {"bytes", row.knows_bytes ? Json(row.bytes) : Json(nullptr)},
                      {"arrivals", row.arrivals.kept().size()}});
    if (rows.empty()) continue;
    Json communicator{{"key", each.key()}, {"rows", std::move(rows)}};
    // One rank tells of it; ranks of another world cannot.
    const auto& ranks = each.ranks();
    const auto teller = std::find_if(ranks.begin(), ranks.end(), [](int r) { return r >= 0; });
    if (*teller == rank) {
      communicator["name"] = each.name;
      communicator["ranks"] = ranks;
      communicator["split"] = each.split();
      communicator["number"] = each.number();
      communicator["topology"] = each.topology;
      communicator["cores"] = each.cores;
    }
    list.push_back(std::move(communicator));
  }
  return list;
}

/// A communicator as rank 0 tells of it.
struct Communicator {
  std::string name, topology;
  std::vector<int> ranks;
  std::size_t split = 0;
  int number = 0, cores = 0;
  bool is_one() const { return ranks.size() == 1; }
};

/// Calls of all its ranks that are alike.
struct Sum {
  Json row;  // as the first rank has it that tells of it
  std::uint64_t calls = 0, rank_calls = 0;
  double seconds = 0, most_seconds = 0;
  std::optional<double> bytes;
  int tellers = 0;  // ranks that tell of it
  bool sampled = true;
  std::optional<Waiting> waiting;
};

struct Merged {
  std::map<std::uint64_t, Communicator> communicators;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Sum> sums;
};

Merged merge(const std::vector<std::string>& texts) {
  Merged merged;
  for (const std::string& text : texts)
    for (const Json& each : Json::parse(text)) {
      const auto key = each["key"].get<std::uint64_t>();
      Communicator& communicator = merged.communicators[key];
      if (each.contains("ranks") && communicator.ranks.empty())
        communicator = {each["name"],  each["topology"], each["ranks"],
                        each["split"], each["number"],   each["cores"]};
      for (const Json& row : each["rows"]) {
        Sum& sum = merged.sums[{key, row["key"].get<std::uint64_t>()}];
        if (sum.tellers++ == 0) sum.row = row;
        const auto calls = row["calls"].get<std::uint64_t>();
        const double seconds = row["nanoseconds"].get<double>() * 1e-9;
        sum.rank_calls += calls;
        // Those of one rank are calls of their own.
        sum.calls = communicator.is_one() ? sum.calls + calls : std::max(sum.calls, calls);
        sum.seconds += seconds;
        sum.most_seconds = std::max(sum.most_seconds, seconds);
        sum.sampled = sum.sampled && row["arrivals"] > 0;
        if (!row["bytes"].is_null()) sum.bytes = sum.bytes.value_or(0) + row["bytes"].get<double>();
      }
    }
  return merged;
}

/// Where a v-operation's ranks each told their part, the sum; where all told the same, that.
double bytes_in_all(const Sum& sum, const Communicator& communicator) {
  const std::string collective = sum.row["collective"];
  const bool parts = collective == "scatterv" || collective == "gatherv";
  return parts || communicator.is_one() ? *sum.bytes : *sum.bytes / sum.tellers;
}

/// Gathers the arrivals of a row from all ranks that have it and works out who waited.
void match(Merged& merged, std::uint64_t of, std::uint64_t key, int rank, int p) {
  std::vector<Arrival> mine;
  for (const CommunicatorRecord& each : records_here().all) {
    if (each.key() != of) continue;
    for (const Row& row : each.rows())
      if (row.key() == key) mine = row.arrivals.kept();
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
  if (rank != 0) return;
  std::vector<std::vector<Arrival>> ranks;
  for (const int each : merged.communicators[of].ranks) {
    const auto r = static_cast<std::size_t>(each);
    const auto begin = all.begin() + places[r] / static_cast<std::ptrdiff_t>(sizeof(Arrival));
    ranks.emplace_back(begin, begin + lengths[r] / static_cast<std::ptrdiff_t>(sizeof(Arrival)));
  }
  Sum& sum = merged.sums[{of, key}];
  const auto collective = collective_named(sum.row["collective"].get_ref<const std::string&>());
  if (Waiting waiting = waiting_of(*collective, ranks); waiting.calls > 0)
    sum.waiting = std::move(waiting);
}

/// The rows in which it can be said who waited, in an order that all ranks have.
std::vector<std::uint64_t> rows_to_match(const Merged& merged) {
  std::vector<std::uint64_t> keys;
  for (const auto& [key, sum] : merged.sums) {
    const Communicator& communicator = merged.communicators.at(key.first);
    const auto size = static_cast<int>(communicator.ranks.size());
    const bool complete = sum.tellers == size && sum.sampled && communicator.split == 0;
    const bool known = std::all_of(communicator.ranks.begin(), communicator.ranks.end(),
                                   [](int rank) { return rank >= 0; });
    if (!complete || !known || communicator.is_one()) continue;
    keys.push_back(key.first);
    keys.push_back(key.second);
  }
  return keys;
}

struct Predicted {
  std::optional<double> seconds;  // of what ran
  std::optional<double> best_seconds;
  std::string best;
};

/// What the model says of a row under the profile in force.
Predicted predict_row(const Sum& sum, const Communicator& communicator, const Profile& profile) {
  Predicted result;
  const Json& row = sum.row;
  const auto collective = collective_named(row["collective"].get_ref<const std::string&>());
  const auto p = static_cast<int>(communicator.ranks.size());
  if (!collective || p < 2 || communicator.split > 0 || !sum.bytes || sum.calls == 0) return result;
  const double bytes = bytes_in_all(sum, communicator) / static_cast<double>(sum.calls);
  const auto element = row["element"].get<std::size_t>();
  Problem problem = Problem::even(
      *collective, p, static_cast<std::size_t>(bytes / static_cast<double>(element) + 0.5));
  problem.element_bytes = element;
  problem.commutative = row["commutative"];
  problem.root = row["root"];
  if (!communicator.topology.empty()) problem.topology = parse_topology(communicator.topology, p);
  const Machine machine =
      machine_of(profile, communicator.cores, static_cast<Work>(row["work"].get<int>()));
  const std::vector<Prediction> predictions = predict(problem, machine);
  if (predictions.empty() || !predictions.front().valid()) return result;
  const Prediction& best = predictions.front();
  const std::string text = format_request(*best.algorithm, best.parameters);
  result.best = text.substr(text.find('/') + 1);
  result.best_seconds = best.seconds;
  const std::string name = row["algorithm"], parameters = row["parameters"];
  if (name == "native") return result;
  const std::string ran = parameters.empty() ? name : fmt::format("{}:{}", name, parameters);
  const Request request = parse_request(fmt::format("{}/{}", name_of(*collective), ran));
  result.seconds = predicted_seconds(problem, machine, *request.algorithm, request.parameters);
  // A row's calls differ in size: what is best for one of them may be what ran.
  if (*result.seconds <= *result.best_seconds)
    result.best = ran, result.best_seconds = result.seconds;
  return result;
}

std::string name_of_communicator(const Communicator& each) {
  if (each.is_one() && each.name != "world") return "self";
  if (!each.name.empty()) return each.name;
  std::string text;
  if (each.split > 0) {
    const auto middle = each.ranks.begin() + static_cast<std::ptrdiff_t>(each.split);
    text = fmt::format("between ranks {} and {}", format_ranks({each.ranks.begin(), middle}),
                       format_ranks({middle, each.ranks.end()}));
  } else {
    text = fmt::format("ranks {}", format_ranks(each.ranks));
  }
  return each.number == 0 ? text : fmt::format("{} ({})", text, each.number + 1);
}

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

Json or_null(const std::optional<double>& value, double unit = 1) {
  return value ? Json(*value * unit) : Json(nullptr);
}

Json document_of(const Merged& merged, int p) {
  const Profile profile = known_profile();
  std::map<std::uint64_t, std::size_t> numbers;
  Json communicators = Json::array();
  std::string world;
  for (const auto& [key, each] : merged.communicators) {
    if (each.name == "world") world = each.topology;
    numbers[key] = communicators.size();
    communicators.push_back(
        {{"name", name_of_communicator(each)},
         {"size", each.ranks.size()},
         {"ranks", each.is_one() ? "each" : format_ranks(each.ranks)},
         {"topology", each.topology.empty() ? Json(nullptr) : Json(each.topology)}});
  }
  std::vector<Json> rows;
  for (const auto& [key, sum] : merged.sums) {
    const Communicator& communicator = merged.communicators.at(key.first);
    const int size_class = sum.row["size_class"];
    const Predicted predicted = predict_row(sum, communicator, profile);
    Json row{
        {"collective", sum.row["collective"]},
        {"communicator", numbers[key.first]},
        {"bytes_at_most", size_class >= 0 ? Json(std::uint64_t{1} << size_class) : Json(nullptr)},
        {"algorithm", sum.row["algorithm"]},
        {"parameters", sum.row["parameters"]},
        {"why", sum.row["why"]},
        {"calls", sum.calls},
        {"calls_of_all_ranks", sum.rank_calls},
        {"bytes", sum.bytes ? Json(bytes_in_all(sum, communicator)) : Json(nullptr)},
        {"seconds", sum.seconds},
        {"seconds_of_slowest_rank", sum.most_seconds}};
    row["waiting_seconds"] = nullptr;
    if (sum.waiting) {
      double time = 0, waited = 0;
      for (const double each : sum.waiting->time) time += each;
      for (const double each : sum.waiting->waited) waited += each;
      row["waiting_seconds"] = time > 0 ? sum.seconds * waited / time : 0.0;
      row["sampled_calls"] = sum.waiting->calls;
      const auto& caused = sum.waiting->caused;
      const auto most = std::max_element(caused.begin(), caused.end());
      if (waited > 0)
        row["waited_for"] = {
            {"rank", communicator.ranks[static_cast<std::size_t>(most - caused.begin())]},
            {"share", *most / waited}};
    }
    row["predicted_us"] = or_null(predicted.seconds, 1e6);
    row["best"] = predicted.best.empty() ? Json(nullptr) : Json(predicted.best);
    row["best_us"] = or_null(predicted.best_seconds, 1e6);
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["seconds"].get<double>() > b["seconds"].get<double>();
  });
  const std::vector<std::string> command = command_line();
  const Records& here = records_here();
  return {{"kind", "record"},
          {"program",
           command.empty() ? "" : std::filesystem::path(command.front()).filename().string()},
          {"command", command},
          {"version", TUTTI_VERSION},
          {"mpi", mpi_name()},
          {"ranks", p},
          {"topology", world.empty() ? Json(nullptr) : Json(world)},
          {"wall_seconds", static_cast<double>(clock_now() - here.begin) * 1e-9},
          {"profile", {{"name", profile.name}, {"measured", profile.measured_on.has_value()}}},
          {"clocks", {{"number", here.clocks.number()}, {"error_us", here.clocks.error() * 1e-3}}},
          {"communicators", std::move(communicators)},
          {"rows", rows}};
}

void write_together() {
  int rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  Records& here = records_here();
  here.clocks.end();
  Merged merged = merge(gather_texts(as_text(my_rows(rank), -1)));
  std::vector<std::uint64_t> keys = rows_to_match(merged);
  auto number = static_cast<int>(keys.size());
  native().bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  keys.resize(static_cast<std::size_t>(number));
  native().bcast(keys.data(), number, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < keys.size(); i += 2) match(merged, keys[i], keys[i + 1], rank, p);
  if (rank != 0) return;
  const std::string& file = settings().record;
  if (write_whole(file, as_text(document_of(merged, p), 1) + "\n"))
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
