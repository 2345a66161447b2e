// Keeps the rows of the table, gathers them from all ranks and prints them.

#include "api/watch/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "api/machine/knowledge.hpp"
#include "api/process/finalize.hpp"
#include "api/process/gather.hpp"
#include "api/process/settings.hpp"
#include "api/watch/record.hpp"
#include "schedule/bytes.hpp"
#include "schedule/whole_file.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

using NotersOfThread = std::unordered_map<const ExplainRow*, Noter>;

struct Rows {
  std::mutex mutex;
  std::deque<ExplainRow> all;  // rows stay where they are
  std::unordered_set<const Noter*> noters;
  std::deque<NotersOfThread> of_threads;
};

/// Never destroyed: calls may be noted until the very end.
Rows& rows() {
  static auto* const value = new Rows;
  return *value;
}

/// A row of all ranks together.
struct Line {
  std::uint64_t calls = 0;  // collective calls, each counted once
  std::uint64_t rank_calls = 0;
  double rank_seconds = 0;  // of all ranks together
  double most_seconds = 0;  // of the rank that spent most
};
using LineKey = std::tuple<std::string, int, int, std::string, std::string, std::string>;
using Lines = std::map<LineKey, Line>;

/// A row with what its noters have. The lock is held.
struct Sums {
  std::uint64_t calls, collectively, nanoseconds;
};
Sums sums_of(const ExplainRow& row) {
  Sums sums{row.calls, row.collectively, row.nanoseconds};
  for (const Noter* noter : rows().noters)
    if (&noter->row() == &row) {
      sums.calls += noter->counts.calls;
      sums.collectively += noter->counts.collectively;
      sums.nanoseconds += noter->counts.nanoseconds;
    }
  return sums;
}

Json my_rows() {
  Json list = Json::array();
  const std::scoped_lock lock(rows().mutex);
  for (const ExplainRow& row : rows().all)
    if (const Sums sums = sums_of(row); sums.calls > 0)
      list.push_back({row.collective, row.size_class, row.ranks, row.algorithm, row.parameters,
                      row.why, sums.calls, sums.collectively,
                      static_cast<double>(sums.nanoseconds) * 1e-9});
  return list;
}

/// All ranks' rows at rank 0 of the world.
Lines gather_rows() {
  Lines lines;
  for (const std::string& text : gather_texts(my_rows().dump()))
    for (const Json& row : Json::parse(text)) {
      Line& line = lines[{row[0], row[1], row[2], row[3], row[4], row[5]}];
      line.rank_calls += row[6].get<std::uint64_t>();
      line.calls += row[7].get<std::uint64_t>();
      line.rank_seconds += row[8].get<double>();
      line.most_seconds = std::max(line.most_seconds, row[8].get<double>());
    }
  return lines;
}

std::string mpi_version() {
  std::vector<char> text(MPI_MAX_LIBRARY_VERSION_STRING);
  int length = 0;
  PMPI_Get_library_version(text.data(), &length);
  std::string version(text.data());
  for (char& c : version)
    if (c == '\t') c = ' ';
  return version.substr(0, version.find_first_of(",\n"));
}

double microseconds_per_call(const Line& line) {
  return line.rank_calls > 0 ? line.rank_seconds / static_cast<double>(line.rank_calls) * 1e6 : 0;
}

void write_json(const Lines& lines, int p, const std::string& path) {
  Json list = Json::array();
  for (const auto& [key, line] : lines) {
    const auto& [collective, size_class, ranks, algorithm, parameters, why] = key;
    Json row = {{"collective", collective}};
    row["ranks"] = ranks > 0 ? Json(ranks) : Json(nullptr);
    row["bytes_at_most"] = size_class >= 0 ? Json(std::uint64_t{1} << size_class) : Json(nullptr);
    row["calls"] = line.calls;
    row["calls_of_all_ranks"] = line.rank_calls;
    row["seconds_of_slowest_rank"] = line.most_seconds;
    row["microseconds_per_call"] = microseconds_per_call(line);
    row["algorithm"] = algorithm;
    row["parameters"] = parameters;
    row["why"] = why;
    list.push_back(std::move(row));
  }
  const Json document = {{"tutti", TUTTI_VERSION},
                         {"mpi", mpi_version()},
                         {"ranks", p},
                         {"profile", known_profile().name},
                         {"rows", std::move(list)}};
  if (!write_whole(path, document.dump(2) + "\n"))
    fmt::print(stderr, "tutti: TUTTI_EXPLAIN: cannot write '{}'\n", path);
}

void print_table(const Lines& lines, int p) {
  std::vector<const Lines::value_type*> order;
  for (const auto& entry : lines) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.most_seconds > b->second.most_seconds;
  });
  std::vector<std::array<std::string, 8>> table = {
      {"collective", "ranks", "bytes", "calls", "seconds", "us/call", "algorithm", "why"}};
  for (const auto* entry : order) {
    const auto& [collective, size_class, ranks, algorithm, parameters, why] = entry->first;
    const Line& line = entry->second;
    table.push_back({collective, ranks > 0 ? std::to_string(ranks) : "-",
                     size_class < 0 ? "-" : "<= " + format_bytes(std::size_t{1} << size_class),
                     std::to_string(line.calls > 0 ? line.calls : line.rank_calls),
                     fmt::format("{:.6f}", line.most_seconds),
                     fmt::format("{:.2f}", microseconds_per_call(line)),
                     parameters.empty() ? algorithm : fmt::format("{}:{}", algorithm, parameters),
                     why});
  }
  std::array<std::size_t, 8> widths{};
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const bool colour = isatty(STDERR_FILENO) != 0 && in_environment("NO_COLOR").empty();
  std::string text = fmt::format("tutti: collectives of {} ranks, {}, profile {}; slowest first\n",
                                 p, mpi_version(), known_profile().name);
  for (std::size_t r = 0; r < table.size(); ++r) {
    std::string row;
    for (std::size_t i = 0; i < table[r].size(); ++i) {
      const bool number = i >= 1 && i <= 5;
      row += number ? fmt::format("{:>{}}", table[r][i], widths[i])
                    : fmt::format("{:<{}}", table[r][i], i + 1 < widths.size() ? widths[i] : 0);
      if (i + 1 < widths.size()) row += "  ";
    }
    text += r == 0 && colour ? "\033[1m" + row + "\033[0m\n" : row + "\n";
  }
  std::fputs(text.c_str(), stderr);
}

void report() {
  int rank = 0, p = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  const Lines lines = gather_rows();
  if (rank != 0) return;
  if (settings().explain == "1")
    print_table(lines, p);
  else
    write_json(lines, p, settings().explain);
}

/// Of the same kind: times differ by size, and the first one's stands for the class.
bool is_same_reason(std::string_view a, std::string_view b) {
  if (a == b) return true;
  for (const std::string_view kind : {"model: ", "profile, measured ", "profile, predicted "})
    if (a.starts_with(kind) && b.starts_with(kind)) return true;
  return false;
}

}  // namespace

ExplainRow& explain_row(std::string_view collective, int size_class, int ranks,
                        std::string_view algorithm, std::string_view parameters,
                        std::string_view why) {
  const std::scoped_lock lock(rows().mutex);
  for (ExplainRow& row : rows().all)
    if (row.size_class == size_class && row.ranks == ranks && row.collective == collective &&
        row.algorithm == algorithm && row.parameters == parameters && is_same_reason(row.why, why))
      return row;
  ExplainRow& row = rows().all.emplace_back();
  row.collective = collective;
  row.size_class = size_class;
  row.ranks = ranks;
  row.algorithm = algorithm;
  row.parameters = parameters;
  row.why = why;
  return row;
}

Noter::Noter(ExplainRow& row) : row_(row) {
  const std::scoped_lock lock(rows().mutex);
  rows().noters.insert(this);
}

Noter::~Noter() {
  const std::scoped_lock lock(rows().mutex);
  rows().noters.erase(this);
  row_.calls += counts.calls;
  row_.collectively += counts.collectively;
  row_.nanoseconds += counts.nanoseconds;
}

Noter& noter_of(ExplainRow& row) {
  // Kept for ever: a thread's last calls may come when its own objects are gone.
  thread_local NotersOfThread* const noters = [] {
    const std::scoped_lock lock(rows().mutex);
    return &rows().of_threads.emplace_back();
  }();
  return noters->try_emplace(&row, row).first->second;
}

unsigned long long calls_of(std::string_view collective, std::string_view algorithm) {
  unsigned long long calls = 0;
  const std::scoped_lock lock(rows().mutex);
  for (const ExplainRow& row : rows().all)
    if (row.collective == collective && row.algorithm == algorithm) calls += sums_of(row).calls;
  return calls;
}

bool explains() { return !settings().explain.empty(); }

bool counts_for_all(MPI_Comm comm) {
  if (!explains() || comm == MPI_COMM_NULL) return true;
  int rank = 0, inter = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_test_inter(comm, &inter);
  if (rank != 0 || !inter) return rank == 0;
  // Of two groups the one whose first rank comes first in the world.
  MPI_Group world, local, remote;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Comm_group(comm, &local);
  PMPI_Comm_remote_group(comm, &remote);
  const int first = 0;
  int ours = 0, theirs = 0;
  PMPI_Group_translate_ranks(local, 1, &first, world, &ours);
  PMPI_Group_translate_ranks(remote, 1, &first, world, &theirs);
  for (MPI_Group* group : {&world, &local, &remote}) PMPI_Group_free(group);
  return ours != MPI_UNDEFINED && (theirs == MPI_UNDEFINED || ours < theirs);
}

void explain_at_finalize() {
  static std::once_flag once;
  if (!explains() && !records()) return;
  std::call_once(once, [] {
    if (records()) begin_record();
    at_finalize([] {
      if (explains()) report();
      if (records()) write_record();
    });
  });
}

}  // namespace tutti::core
