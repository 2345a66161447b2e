// Reads the record of a run and finds what would save most.

#include "measure/record.hpp"

#include <map>
#include <optional>

#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

/// What is less than this share of the run is not worth a word.
constexpr double worth_telling = 0.01;
/// Predictions are not so exact that less would mean anything.
constexpr double clearly_less = 0.8;
constexpr std::size_t most_gains = 5;
constexpr std::uint64_t many_calls = 1000;
constexpr std::uint64_t few_bytes = 1024;

struct CallRow {
  std::string collective, communicator, algorithm, why, best;
  std::optional<std::uint64_t> bytes_at_most;
  std::uint64_t calls = 0, rank_calls = 0;
  // Seconds, on the mean of all ranks of the world.
  double time = 0, transfer = 0, waiting = 0;
  double transfer_us = 0;  // of a call
  std::optional<double> predicted_us, best_us;
  int waited_for = -1;
  double share = 0;  // of the waiting, for that rank
};

struct Record {
  double wall = 0;
  std::string profile;
  bool measured = false;
  std::vector<CallRow> rows;
};

std::optional<double> real_or_null(const JsonReader& field) {
  if (field.json().is_null()) return std::nullopt;
  return field.amount();
}

CallRow read_row(const JsonReader& json, const std::vector<std::string>& communicators,
                 double ranks) {
  CallRow row;
  row.collective = json.at("collective").text();
  row.communicator = communicators[json.at("communicator").number(communicators.size() - 1)];
  row.algorithm = json.at("algorithm").text();
  json.at("parameters").text();
  row.why = json.at("why").text();
  if (!json.at("bytes_at_most").json().is_null())
    row.bytes_at_most = json.at("bytes_at_most").number();
  row.calls = json.at("calls").number();
  row.rank_calls = json.at("calls_of_all_ranks").number();
  real_or_null(json.at("bytes"));
  row.time = json.at("seconds").amount() / ranks;
  json.at("seconds_of_slowest_rank").amount();
  row.waiting = real_or_null(json.at("waiting_seconds")).value_or(0) / ranks;
  row.transfer = std::max(0.0, row.time - row.waiting);
  if (row.rank_calls > 0)
    row.transfer_us = row.transfer * ranks * 1e6 / static_cast<double>(row.rank_calls);
  row.predicted_us = real_or_null(json.at("predicted_us"));
  row.best_us = real_or_null(json.at("best_us"));
  if (!json.at("best").json().is_null()) row.best = json.at("best").text();
  if (json.has("sampled_calls")) json.at("sampled_calls").number();
  if (json.has("waited_for")) {
    row.waited_for = static_cast<int>(json.at("waited_for").at("rank").number(1u << 30));
    row.share = json.at("waited_for").at("share").amount();
  }
  return row;
}

Record read(const JsonReader& document) {
  Record record;
  for (const char* field : {"program", "version", "mpi"}) document.at(field).text();
  for (const JsonReader& word : document.at("command").list()) word.text();
  if (!document.at("topology").json().is_null()) document.at("topology").text();
  const auto ranks = document.at("ranks").number(1u << 30);
  if (ranks == 0) document.at("ranks").fail("must be at least 1");
  record.wall = document.at("wall_seconds").amount();
  record.profile = document.at("profile").at("name").text();
  record.measured = document.at("profile").at("measured").yes_or_no();
  document.at("clocks").at("number").number();
  document.at("clocks").at("error_us").amount();
  std::vector<std::string> communicators;
  for (const JsonReader& each : document.at("communicators").list()) {
    communicators.push_back(each.at("name").text());
    each.at("size").number();
    each.at("ranks").text();
    if (!each.at("topology").json().is_null()) each.at("topology").text();
  }
  for (const JsonReader& row : document.at("rows").list()) {
    if (communicators.empty()) document.at("communicators").fail("must not be empty");
    record.rows.push_back(read_row(row, communicators, static_cast<double>(ranks)));
  }
  return record;
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

/// `bcast of at most 1M bytes on world`
std::string subject(const CallRow& row) {
  return fmt::format("{}{} on {}", row.collective,
                     row.bytes_at_most
                         ? fmt::format(" of at most {} bytes", format_bytes(*row.bytes_at_most))
                         : "",
                     row.communicator);
}

bool is_of_root(std::string_view collective) {
  return collective == "bcast" || collective == "scatter" || collective == "scatterv";
}

using Ranked = std::multimap<double, std::string, std::greater<>>;

/// Collectives whose time is mostly waiting.
void advise_on_waiting(const Record& record, Ranked& advice) {
  struct Sum {
    double time = 0, waiting = 0;
    std::map<int, double> caused;
  };
  std::map<std::string, Sum> sums;
  for (const CallRow& row : record.rows) {
    Sum& sum = sums[row.collective];
    sum.time += row.time;
    sum.waiting += row.waiting;
    if (row.waited_for >= 0) sum.caused[row.waited_for] += row.waiting * row.share;
  }
  for (const auto& [collective, sum] : sums) {
    if (sum.waiting < worth_telling * record.wall || sum.waiting < 0.5 * sum.time) continue;
    std::string whom;
    for (const auto& [rank, caused] : sum.caused)
      if (caused > 0.5 * sum.waiting) whom = fmt::format(", mostly for rank {}", rank);
    advice.emplace(
        sum.waiting,
        fmt::format("{} of the time of {} is waiting for the {}{}: balance the work before it; a "
                    "faster algorithm gains at most {} on each rank.",
                    percent(sum.waiting / sum.time), collective,
                    is_of_root(collective) ? "root" : "last rank", whom,
                    duration(sum.time - sum.waiting)));
  }
}

/// What the best algorithm takes by the model, as a share of what ran: of its prediction, or of
/// what was measured of the MPI's own, for which there is none.
std::optional<double> ratio_of(const CallRow& row) {
  const std::optional<double> ran =
      row.algorithm == "native" ? std::optional(row.transfer_us) : row.predicted_us;
  if (!row.best_us || !ran || *ran <= 0) return std::nullopt;
  return *row.best_us / *ran;
}

/// Seconds on each rank.
std::optional<double> gain_of(const CallRow& row) {
  const std::optional<double> ratio = ratio_of(row);
  if (!ratio) return std::nullopt;
  return row.transfer * std::max(0.0, 1 - *ratio);
}

/// Calls that another algorithm is predicted to make faster.
void advise_on_algorithms(const Record& record, Ranked& advice) {
  Ranked gains;
  for (const CallRow& row : record.rows) {
    // What was measured knows more than the model.
    const bool was_measured =
        row.why.starts_with("learned") || row.why.starts_with("profile, measured");
    const std::optional<double> ratio = ratio_of(row);
    if (was_measured || !ratio || *ratio >= clearly_less) continue;
    const double gain = *gain_of(row);
    if (gain < worth_telling * record.wall) continue;
    const bool native = row.algorithm == "native";
    const std::string settles = record.measured
                                    ? "let Tutti choose, or ask for it by name"
                                    : fmt::format(
                                          "the profile {} was not measured here, tutti tune would "
                                          "settle it",
                                          record.profile);
    gains.emplace(
        gain, fmt::format("{} ran {} ({}): {} is predicted to take {:.2f} of {}, {} less on "
                          "each rank: {}.",
                          subject(row), native ? "natively" : fmt::format("with {}", row.algorithm),
                          row.why, row.best, *ratio, native ? "the time measured" : "its time",
                          duration(gain), settles));
  }
  std::size_t told = 0;
  for (const auto& [gain, text] : gains)
    if (told++ < most_gains) advice.emplace(gain, text);
}

/// Many small calls, whose time is that of messages.
void advise_on_small_calls(const Record& record, Ranked& advice) {
  struct Sum {
    std::uint64_t calls = 0;
    double transfer = 0;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (const CallRow& row : record.rows)
    if (row.bytes_at_most.value_or(few_bytes + 1) <= few_bytes || row.collective == "barrier") {
      Sum& sum = sums[{row.collective, row.communicator}];
      sum.calls += row.calls;
      sum.transfer += row.transfer;
    }
  for (const auto& [key, sum] : sums) {
    const auto& [collective, communicator] = key;
    if (sum.calls < many_calls || sum.transfer < 0.05 * record.wall) continue;
    if (collective == "barrier")
      advice.emplace(sum.transfer,
                     fmt::format("{} barriers on {} take {} on each rank, waiting apart: leave out "
                                 "those that the program can do without.",
                                 sum.calls, communicator, duration(sum.transfer)));
    else
      advice.emplace(sum.transfer,
                     fmt::format("{} calls of {} of at most {} bytes on {} take {} on each rank, "
                                 "waiting apart: make fewer and larger ones, if the program can.",
                                 sum.calls, collective, format_bytes(few_bytes), communicator,
                                 duration(sum.transfer)));
  }
}

std::vector<std::string> advice_on(const Record& record) {
  double time = 0;
  std::uint64_t unseen = 0;
  for (const CallRow& row : record.rows) {
    time += row.time;
    if (row.why == "nonblocking" || row.why == "persistent") unseen += row.calls;
  }
  std::vector<std::string> lines{fmt::format(
      "Collectives take {} of the run: {} of {} on each rank, on average.{}",
      percent(record.wall > 0 ? time / record.wall : 0), duration(time), duration(record.wall),
      time < 2 * worth_telling * record.wall ? " There is little to gain here." : "")};
  Ranked ranked;
  advise_on_waiting(record, ranked);
  advise_on_small_calls(record, ranked);
  advise_on_algorithms(record, ranked);
  for (const auto& [seconds, text] : ranked) lines.push_back(text);
  if (ranked.empty() && time >= 2 * worth_telling * record.wall)
    lines.push_back(
        "Nothing stands out: no waiting, and no algorithm that is predicted to be "
        "much faster.");
  if (unseen > 0)
    lines.push_back(
        fmt::format("{} calls are nonblocking or persistent: the MPI does them, and "
                    "what ranks wait for them elsewhere is not seen.",
                    unseen));
  return lines;
}

}  // namespace

nlohmann::ordered_json read_record(const JsonReader& document) {
  const Record record = read(document);
  nlohmann::ordered_json result = document.json();
  for (std::size_t i = 0; i < record.rows.size(); ++i) {
    const std::optional<double> gain = gain_of(record.rows[i]);
    result["rows"][i]["gain_seconds"] =
        gain ? nlohmann::ordered_json(*gain) : nlohmann::ordered_json(nullptr);
  }
  result["advice"] = advice_on(record);
  return result;
}

}  // namespace tutti::core
