// Merges what ranks have noted, and writes the record's document.

#include "measure/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "request/request.hpp"
#include "select/candidates.hpp"
#include "select/predict.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

std::string as_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

struct Predicted {
  std::optional<double> seconds;  // of what ran
  std::optional<double> best_seconds;
  std::string best;
};

/// What the model says of calls of so many bytes.
Predicted predict_row(const RecordedRow& row, double bytes,
                      const RecordedCommunicator& communicator, const RecordedRun& run) {
  Predicted result;
  const auto collective = collective_named(row.collective);
  const auto p = static_cast<int>(communicator.ranks.size());
  if (!collective || p < 2 || communicator.split > 0) return result;
  Problem problem = Problem::even(
      *collective, p, static_cast<std::size_t>(bytes / static_cast<double>(row.element) + 0.5));
  problem.element_bytes = row.element;
  problem.commutative = row.commutative;
  problem.root = row.root;
  if (!communicator.topology.empty()) problem.topology = parse_topology(communicator.topology, p);
  const Machine machine =
      run.profile.machine_for(problem.topology.get(), communicator.cores, row.work);
  const std::vector<Prediction> predictions = predict(problem, machine);
  if (predictions.empty() || !predictions.front().valid()) return result;
  const Prediction& best = predictions.front();
  const std::string text = format_request(*best.algorithm, best.parameters);
  result.best = text.substr(text.find('/') + 1);
  result.best_seconds = best.seconds;
  if (row.algorithm == "native") return result;
  const std::string ran =
      row.parameters.empty() ? row.algorithm : fmt::format("{}:{}", row.algorithm, row.parameters);
  const Request request = parse_request(fmt::format("{}/{}", name_of(*collective), ran));
  result.seconds = predicted_seconds(problem, machine, *request.algorithm, request.parameters);
  // A row's calls differ in size: what is best for one of them may be what ran.
  if (*result.seconds <= *result.best_seconds)
    result.best = ran, result.best_seconds = result.seconds;
  return result;
}

std::string name_of_communicator(const RecordedCommunicator& each) {
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

Json or_null(const std::optional<double>& value, double unit = 1) {
  return value ? Json(*value * unit) : Json(nullptr);
}
Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

/// Who waited for whom in calls that took `seconds` in all.
void tell_waiting(const Waiting& waiting, double seconds, const std::vector<int>& ranks,
                  Json& row) {
  double time = 0, waited = 0;
  for (const double each : waiting.time) time += each;
  for (const double each : waiting.waited) waited += each;
  row["waiting_seconds"] = time > 0 ? seconds * waited / time : 0.0;
  row["sampled_calls"] = waiting.calls;
  const auto most = std::max_element(waiting.caused.begin(), waiting.caused.end());
  if (waited > 0)
    row["waited_for"] = {{"rank", ranks[static_cast<std::size_t>(most - waiting.caused.begin())]},
                         {"share", *most / waited}};
}

}  // namespace

std::uint64_t RecordedRow::key() const {
  return std::hash<std::string>{}(
      fmt::format("{}|{}|{}|{}|{}", collective, size_class, algorithm, parameters, why));
}

std::uint64_t RecordedCommunicator::key() const {
  if (is_one()) return name == "world" ? 1 : 0;
  std::string text = fmt::format("{} {}", split, number);
  for (const int rank : ranks) text += fmt::format(" {}", rank);
  return std::hash<std::string>{}(text);
}

std::string pack_recorded(const std::vector<const RecordedCommunicator*>& communicators, int rank) {
  Json list = Json::array();
  for (const RecordedCommunicator* each : communicators) {
    Json rows = Json::array();
    for (const RecordedRow& row : each->rows)
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
    Json communicator{{"key", each->key()}, {"rows", std::move(rows)}};
    // One rank tells of it; ranks of another world cannot.
    const auto teller =
        std::find_if(each->ranks.begin(), each->ranks.end(), [](int r) { return r >= 0; });
    if (*teller == rank) {
      communicator["name"] = each->name;
      communicator["ranks"] = each->ranks;
      communicator["split"] = each->split;
      communicator["number"] = each->number;
      communicator["topology"] = each->topology;
      communicator["cores"] = each->cores;
    }
    list.push_back(std::move(communicator));
  }
  return as_text(list, -1);
}

Recorded::Recorded(const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    for (const Json& each : Json::parse(text)) {
      const auto key = each["key"].get<std::uint64_t>();
      RecordedCommunicator& communicator = communicators_[key];
      if (each.contains("ranks") && communicator.ranks.empty())
        communicator = {each["ranks"],
                        each["split"],
                        each["number"],
                        each["name"],
                        each["topology"],
                        each["cores"],
                        {}};
      for (const Json& row : each["rows"]) add(row, key);
    }
}

void Recorded::add(const Json& row, std::uint64_t communicator) {
  Sum& sum = sums_[{communicator, row["key"].get<std::uint64_t>()}];
  if (sum.tellers++ == 0) {
    sum.row.collective = row["collective"];
    sum.row.size_class = row["size_class"];
    sum.row.algorithm = row["algorithm"];
    sum.row.parameters = row["parameters"];
    sum.row.why = row["why"];
    sum.row.element = row["element"];
    sum.row.commutative = row["commutative"];
    sum.row.work = static_cast<Work>(row["work"].get<int>());
    sum.row.root = row["root"];
  }
  const auto calls = row["calls"].get<std::uint64_t>();
  const double seconds = row["nanoseconds"].get<double>() * 1e-9;
  sum.rank_calls += calls;
  // Those of one rank are calls of their own.
  sum.calls =
      communicators_[communicator].is_one() ? sum.calls + calls : std::max(sum.calls, calls);
  sum.seconds += seconds;
  sum.most_seconds = std::max(sum.most_seconds, seconds);
  sum.sampled = sum.sampled && row["arrivals"] > 0;
  if (!row["bytes"].is_null()) sum.bytes = sum.bytes.value_or(0) + row["bytes"].get<double>();
}

std::vector<Recorded::RowKey> Recorded::rows_to_match() const {
  std::vector<RowKey> keys;
  for (const auto& [key, sum] : sums_) {
    const RecordedCommunicator& communicator = communicators_.at(key.communicator);
    const auto size = static_cast<int>(communicator.ranks.size());
    const bool complete = sum.tellers == size && sum.sampled && communicator.split == 0;
    const bool known = std::all_of(communicator.ranks.begin(), communicator.ranks.end(),
                                   [](int rank) { return rank >= 0; });
    if (complete && known && !communicator.is_one()) keys.push_back(key);
  }
  return keys;
}

void Recorded::match(RowKey key, const std::vector<std::vector<Arrival>>& arrivals) {
  std::vector<std::vector<Arrival>> ranks;
  for (const int rank : communicators_.at(key.communicator).ranks)
    ranks.push_back(arrivals[static_cast<std::size_t>(rank)]);
  Sum& sum = sums_.at(key);
  if (Waiting waiting = waiting_of(*collective_named(sum.row.collective), ranks); waiting.calls > 0)
    sum.waiting = std::move(waiting);
}

double Recorded::Sum::bytes_in_all(const RecordedCommunicator& communicator) const {
  const bool parts = row.collective == "scatterv" || row.collective == "gatherv";
  return parts || communicator.is_one() ? *bytes : *bytes / tellers;
}

Json Recorded::row_of(const Sum& sum, const RecordedCommunicator& communicator, std::size_t number,
                      const RecordedRun& run) {
  const RecordedRow& like = sum.row;
  Predicted predicted;
  if (sum.bytes && sum.calls > 0)
    predicted = predict_row(like, sum.bytes_in_all(communicator) / static_cast<double>(sum.calls),
                            communicator, run);
  Json row{{"collective", like.collective},
           {"communicator", number},
           {"bytes_at_most",
            like.size_class >= 0 ? Json(std::uint64_t{1} << like.size_class) : Json(nullptr)},
           {"algorithm", like.algorithm},
           {"parameters", like.parameters},
           {"why", like.why},
           {"calls", sum.calls},
           {"calls_of_all_ranks", sum.rank_calls},
           {"bytes", sum.bytes ? Json(sum.bytes_in_all(communicator)) : Json(nullptr)},
           {"seconds", sum.seconds},
           {"seconds_of_slowest_rank", sum.most_seconds}};
  row["waiting_seconds"] = nullptr;
  if (sum.waiting) tell_waiting(*sum.waiting, sum.seconds, communicator.ranks, row);
  row["predicted_us"] = or_null(predicted.seconds, 1e6);
  row["best"] = or_null(predicted.best);
  row["best_us"] = or_null(predicted.best_seconds, 1e6);
  return row;
}

Json Recorded::document(const RecordedRun& run) const {
  std::map<std::uint64_t, std::size_t> numbers;
  Json communicators = Json::array();
  std::string world;
  for (const auto& [key, each] : communicators_) {
    if (each.name == "world") world = each.topology;
    numbers[key] = communicators.size();
    communicators.push_back({{"name", name_of_communicator(each)},
                             {"size", each.ranks.size()},
                             {"ranks", each.is_one() ? "each" : format_ranks(each.ranks)},
                             {"topology", or_null(each.topology)}});
  }
  std::vector<Json> rows;
  for (const auto& [key, sum] : sums_)
    rows.push_back(
        row_of(sum, communicators_.at(key.communicator), numbers[key.communicator], run));
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a["seconds"].get<double>() > b["seconds"].get<double>();
  });
  return {
      {"kind", "record"},
      {"program",
       run.command.empty() ? "" : std::filesystem::path(run.command.front()).filename().string()},
      {"command", run.command},
      {"version", run.version},
      {"mpi", run.mpi},
      {"ranks", run.ranks},
      {"topology", or_null(world)},
      {"wall_seconds", run.wall_seconds},
      {"profile", {{"name", run.profile.name}, {"measured", run.profile.measured_on.has_value()}}},
      {"clocks", {{"number", run.clocks}, {"error_us", run.clock_error * 1e-3}}},
      {"communicators", std::move(communicators)},
      {"rows", rows}};
}

std::string format_record(const Json& document) { return as_text(document, 1) + "\n"; }

}  // namespace tutti::core
