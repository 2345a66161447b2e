// Reads a profile, field by field.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "model/profile_fields.hpp"
#include "schedule/json_reader.hpp"

namespace tutti::core {

namespace {

/// For people who write one.
constexpr JsonWords words{
    .place = "field \"{0}\"",
    .missing = "field \"{2}\" is missing; add it",
    .unknown = "unknown field \"{2}\"; the fields are {3}",
    .object = "must be an object in braces",
    .object_of_list = "must be in braces",
    .list = "must be a list in brackets",
    .text = "must be a text in quotes",
    .real = "must be a number, 0 or more, not {0}",
    .negative = "must be a number, 0 or more, not {0}",
    .whole = "must be a whole number from 0 to {1}, not {0}",
    .above = "must be a whole number from 0 to {1}, not {0}",
    .empty_texts = false,
};
constexpr std::string_view example = "a file in profiles/";

/// Messages are not longer.
constexpr std::size_t most_bytes = std::size_t{1} << 60;
/// Nor are pieces, whose bytes an MPI counts in an int.
constexpr std::size_t most_piece = std::size_t{1} << 30;

/// Beyond it is a slip of the pen.
constexpr int most_cores = 1 << 20;

using Names = std::vector<std::string_view>;

/// One line, whatever the file holds.
[[noreturn]] void fail(std::string_view origin, std::string_view what) {
  constexpr std::size_t most = 500;
  std::string line(what.substr(0, most));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  if (what.size() > most) line += " ...";
  throw std::invalid_argument(fmt::format("profile {}: {}", origin, line));
}

/// The names of a table's fields between others.
template <class Table>
Names names_of(Names names, const Table& table, const Names& more = {}) {
  for (const auto& field : table) names.push_back(field.name);
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

template <class Of>
void read(const JsonReader& object, const ProfileField<Of>& field, Of& into) {
  into.*field.rate = object.at(field.name).amount() * field.unit;
}
template <class Table, class Of>
void read_all(const JsonReader& object, const Table& table, Of& into) {
  for (const auto& field : table) read(object, field, into);
}

int cores_of(const JsonReader& object) {
  return static_cast<int>(object.at("cores").number(most_cores));
}

NodeRates node_of(const JsonReader& object) {
  object.has_only(names_of({}, node_fields,
                           {reading_field.name, across_field.name, again_field.name, "cores"}));
  NodeRates node;
  read_all(object, node_fields, node);
  if (object.has(reading_field.name)) read(object, reading_field, node);
  if (object.has(across_field.name)) read(object, across_field, node);
  if (node.across < 1)
    object.at(across_field.name).fail(fmt::format("must be 1 or more, not {}", node.across));
  if (object.has(again_field.name)) read(object, again_field, node);
  node.cores = cores_of(object);
  return node;
}

Interface interface_of(const JsonReader& object) {
  std::map<int, double> curve;
  for (const auto& [key, field] : object.fields()) {
    int cores = 0;
    const char* const end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data(), end, cores);
    if (error != std::errc{} || rest != end || cores < 1 || cores > most_cores)
      object.refuse(key, {fmt::format("numbers of cores from 1 to {}", most_cores)});
    const double factor = field.json().is_number() ? field.real() : 0;
    if (!(factor > 0) || (cores == 1 && factor != 1))
      field.fail(fmt::format("must be {}, not {}", cores == 1 ? "1" : "a number above 0",
                             field.json().dump()));
    curve[cores] = factor;
  }
  object.at("1");
  return {{curve.begin(), curve.end()}};
}

std::vector<Step> steps_of(const JsonReader& list) {
  if (!list.json().is_array() || list.json().empty())
    list.fail("must be a list in brackets, not empty");
  std::vector<Step> steps;
  for (const JsonReader& object : list.list()) {
    object.has_only(names_of({"from"}, step_fields));
    const JsonReader from = object.at("from");
    Step step{.from = from.number(most_bytes)};
    if (steps.empty() ? step.from != 0 : step.from <= steps.back().from)
      from.fail(fmt::format("must be {}, not {}",
                            steps.empty() ? "0" : fmt::format("above {}", steps.back().from),
                            step.from));
    read_all(object, step_fields, step);
    steps.push_back(step);
  }
  return steps;
}

/// Numbers by names of a list.
std::map<std::string, double, std::less<>> numbers_of(const JsonReader& object,
                                                      std::span<const std::string_view> names,
                                                      double unit) {
  object.has_only({names.begin(), names.end()});
  std::map<std::string, double, std::less<>> numbers;
  for (const auto& [name, field] : object.fields()) numbers[name] = field.amount() * unit;
  return numbers;
}

MeasuredOn measured_on_of(const JsonReader& object) {
  object.has_only({"mpi", "processor", "cores"});
  return {object.at("mpi").text(), object.at("processor").text(), cores_of(object)};
}

Request request_of(Collective collective, std::string_view algorithm) {
  return parse_request(fmt::format("{}/{}", name_of(collective), algorithm));
}

Decision decision_of(const JsonReader& object, Collective collective) {
  object.has_only({"from", "algorithm", decision_field.name, "measured"});
  Decision decision{.from = object.at("from").number(most_bytes)};
  decision.request =
      object.at("algorithm").parsed([&](std::string_view algorithm) -> std::optional<Request> {
        if (algorithm == "native") return std::nullopt;
        return request_of(collective, algorithm);
      });
  read(object, decision_field, decision);
  decision.measured = object.at("measured").yes_or_no();
  return decision;
}

/// {"at": 512, "ring": 12.5, "native": 14.1}: what candidates took, in us.
SizeMeasured measured_of(const JsonReader& object, Collective collective) {
  SizeMeasured result{object.at("at").number(most_bytes), {}};
  for (const auto& [name, field] : object.fields()) {
    if (name == "at") continue;
    if (name != "native") object.blamed_for([&] { request_of(collective, name); });
    result.seconds.emplace_back(name, field.amount() * decision_field.unit);
  }
  if (result.seconds.empty()) object.fail("names no candidate; remove it");
  std::stable_sort(result.seconds.begin(), result.seconds.end(), is_shorter);
  return result;
}

DecisionRow row_of(const JsonReader& object) {
  object.has_only({"collective", "topology", "blocks", "choices", "measured_us"});
  DecisionRow row;
  row.collective = object.at("collective").parsed(parse_collective);
  row.topology =
      object.at("topology").parsed([](const auto& text) { return parse_topology(text); });
  if (object.has("blocks")) {
    const std::string& blocks = object.at("blocks").text();
    if (blocks != "even" && blocks != "uneven")
      object.at("blocks").fail("must be \"even\" or \"uneven\"");
    row.blocks = blocks == "even" ? Evenness::even : Evenness::uneven;
  }
  for (const JsonReader& choice : object.at("choices").list())
    row.choices.push_back(decision_of(choice, row.collective));
  if (object.has("measured_us"))
    for (const JsonReader& each : object.at("measured_us").list())
      row.measured.push_back(measured_of(each, row.collective));
  return row;
}

Decisions decisions_of(const JsonReader& list) {
  Decisions decisions;
  for (const JsonReader& object : list.list()) {
    DecisionRow row = row_of(object);
    object.blamed_for([&] { decisions.add(std::move(row)); });
  }
  return decisions;
}

Profile profile_of(const JsonReader& object) {
  object.has_only(names_of({"name", "source"}, rate_fields,
                           {"node", "interface", "steps", "mesh", "gammas", post_field.name,
                            "piece_bytes", "uncertainty_percent", "measured_on", "decisions"}));
  Profile profile{object.at("name").text(), object.at("source").text(), {}};
  read_all(object, rate_fields, profile.rates);
  if (object.has("node")) profile.node = node_of(object.at("node"));
  if (object.has("interface")) profile.interface = interface_of(object.at("interface"));
  if (object.has("steps")) profile.steps = steps_of(object.at("steps"));
  if (object.has("mesh")) profile.mesh = object.at("mesh").parsed(parse_mesh);
  if (object.has("gammas")) profile.gammas = numbers_of(object.at("gammas"), gamma_names(), 1e-9);
  if (object.has(post_field.name)) read(object, post_field, profile.rates);
  if (object.has("piece_bytes"))
    if ((profile.piece = object.at("piece_bytes").number(most_piece)) == 0)
      object.at("piece_bytes").fail("must be above 0; leave it out if it is not known");
  if (object.has("uncertainty_percent"))
    profile.uncertainty = numbers_of(object.at("uncertainty_percent"), uncertainty_names(), 0.01);
  if (object.has("measured_on")) profile.measured_on = measured_on_of(object.at("measured_on"));
  if (object.has("decisions")) profile.decisions = decisions_of(object.at("decisions"));
  return profile;
}

}  // namespace

Profile parse_profile(std::string_view text, std::string_view origin) {
  try {
    const nlohmann::ordered_json json = parse_strictly(text, example);
    if (!json.is_object())
      throw std::invalid_argument(fmt::format("must be a JSON object; compare with {}", example));
    return profile_of(JsonReader(json, "", words));
  } catch (const std::invalid_argument& error) {
    fail(origin, error.what());
  }
}

Profile read_profile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    fail(path.string(), "cannot be read; give the path of a JSON file");
  return parse_profile(std::string(std::istreambuf_iterator(file), {}), path.string());
}

}  // namespace tutti::core
