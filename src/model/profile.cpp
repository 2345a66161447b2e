// Profiles as files: read, checked, written, and the machine that one tells of.

#include "model/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

namespace tutti::core {

namespace {

/// A number in the file, and what one of its units is in seconds.
template <class Of>
struct Field {
  std::string_view name;
  double Of::*rate;
  double unit;
};

constexpr std::array fields{
    Field{"alpha_us", &Rates::alpha, 1e-6},
    Field{"beta_ns_per_byte", &Rates::beta, 1e-9},
    Field{"gamma_ns_per_byte", &Rates::gamma, 1e-9},
    Field{"alpha_uni_us", &Rates::alpha_uni, 1e-6},
    Field{"beta_uni_ns_per_byte", &Rates::beta_uni, 1e-9},
};
constexpr std::array node_fields{
    Field{"latency_us", &NodeRates::latency, 1e-6},
    Field{"message_us", &NodeRates::message, 1e-6},
    Field{"attach_us", &NodeRates::attach, 1e-6},
    Field{"copy_ns_per_byte", &NodeRates::byte, 1e-9},
    Field{"switch_us", &NodeRates::switching, 1e-6},
};

constexpr std::array step_fields{
    Field{"alpha_us", &Step::alpha, 1e-6},
    Field{"beta_ns_per_byte", &Step::beta, 1e-9},
    Field{"alpha_uni_us", &Step::alpha_uni, 1e-6},
    Field{"beta_uni_ns_per_byte", &Step::beta_uni, 1e-9},
};
constexpr Field reading_field{"attach_copies", &NodeRates::reading, 1};
constexpr Field post_field{"post_us", &Rates::post, 1e-6};

constexpr std::array<std::string_view, 13> uncertain{
    "alpha",  "beta",          "gamma", "alpha_uni", "beta_uni",  "latency", "message",
    "attach", "attach_copies", "copy",  "switch",    "interface", "post"};

/// Messages are not longer.
constexpr std::size_t most_bytes = std::size_t{1} << 60;
/// Nor are pieces, whose bytes an MPI counts in an int.
constexpr std::size_t most_piece = std::size_t{1} << 30;

/// Beyond it is a slip of the pen.
constexpr int most_cores = 1 << 20;

/// One line, whatever the file holds.
[[noreturn]] void fail(std::string_view origin, std::string_view what) {
  constexpr std::size_t most = 500;
  std::string line(what.substr(0, most));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  if (what.size() > most) line += " ...";
  throw std::invalid_argument(fmt::format("profile {}: {}", origin, line));
}

/// What JSON allows and nobody means is refused: a field that stands twice, of which the reader
/// would take one, numbers beyond all measure, and nesting without end.
nlohmann::json parsed(std::string_view text_of_file, std::string_view origin) {
  constexpr int deepest = 8;
  constexpr double most = 1e18;
  std::vector<std::set<std::string>> fields;  // of the objects that are open
  std::string field;
  const auto look = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (depth > deepest)
      fail(origin,
           fmt::format("field \"{}\" is nested too deeply; compare with a file in profiles/",
                       field));
    if (event == Event::object_start) fields.emplace_back();
    if (event == Event::object_end) fields.pop_back();
    if (event == Event::key) {
      field = value.get<std::string>();
      if (!fields.back().insert(field).second)
        fail(origin, fmt::format("field \"{}\" stands twice; remove one", field));
    }
    if (event == Event::value && value.is_number() && std::abs(value.get<double>()) > most)
      fail(origin, fmt::format("field \"{}\": a number is too large; write at most 1e18", field));
    return true;
  };
  try {
    return nlohmann::json::parse(text_of_file, look);
  } catch (const nlohmann::json::out_of_range&) {
    fail(origin, fmt::format("field \"{}\": a number is too large; write finite numbers", field));
  } catch (const nlohmann::json::parse_error& error) {
    fail(origin, fmt::format("not JSON at byte {}; compare with a file in profiles/", error.byte));
  }
}

const nlohmann::json& at(const nlohmann::json& object, std::string_view name,
                         std::string_view origin, std::string_view place = "") {
  const auto found = object.find(name);
  if (found == object.end())
    fail(origin, fmt::format("field \"{}{}\" is missing; add it", place, name));
  return *found;
}

std::string text(const nlohmann::json& object, std::string_view name, std::string_view origin,
                 std::string_view place = "") {
  const nlohmann::json& value = at(object, name, origin, place);
  if (!value.is_string() || value.get_ref<const std::string&>().empty())
    fail(origin, fmt::format("field \"{}{}\" must be a text in quotes", place, name));
  return value.get<std::string>();
}

/// `place` stands before the field's name in messages: `node.`.
double number(const nlohmann::json& object, std::string_view name, std::string_view origin,
              std::string_view place = "") {
  const nlohmann::json& value = at(object, name, origin, place);
  const double given = value.is_number() ? value.get<double>() : -1;
  if (!(given >= 0) || !std::isfinite(given))
    fail(origin, fmt::format("field \"{}{}\" must be a number, 0 or more, not {}", place, name,
                             value.dump()));
  return given;
}
template <class Of>
double number(const nlohmann::json& object, const Field<Of>& field, std::string_view origin,
              std::string_view place = "") {
  return number(object, field.name, origin, place) * field.unit;
}

void refuse_unknown(const nlohmann::json& object, const std::vector<std::string_view>& known,
                    std::string_view origin, std::string_view place = "") {
  for (const auto& item : object.items())
    if (std::find(known.begin(), known.end(), item.key()) == known.end())
      fail(origin, fmt::format("unknown field \"{}{}\"; the fields are {}", place, item.key(),
                               fmt::join(known, ", ")));
}

/// A whole number within bounds.
std::size_t whole(const nlohmann::json& object, std::string_view name, std::size_t most,
                  std::string_view origin, std::string_view place) {
  const nlohmann::json& value = at(object, name, origin, place);
  if (!value.is_number_unsigned() || value.get<std::size_t>() > most)
    fail(origin, fmt::format("field \"{}{}\" must be a whole number from 0 to {}, not {}", place,
                             name, most, value.dump()));
  return value.get<std::size_t>();
}

NodeRates node_of(const nlohmann::json& object, std::string_view origin) {
  constexpr std::string_view place = "node.";
  if (!object.is_object()) fail(origin, "field \"node\" must be an object in braces");
  std::vector<std::string_view> known;
  for (const auto& field : node_fields) known.push_back(field.name);
  known.push_back(reading_field.name);
  known.push_back("cores");
  refuse_unknown(object, known, origin, place);
  NodeRates node;
  for (const auto& field : node_fields) node.*field.rate = number(object, field, origin, place);
  if (object.contains(reading_field.name))
    node.reading = number(object, reading_field, origin, place);
  node.cores = static_cast<int>(whole(object, "cores", most_cores, origin, place));
  return node;
}

Interface interface_of(const nlohmann::json& object, std::string_view origin) {
  if (!object.is_object()) fail(origin, "field \"interface\" must be an object in braces");
  std::map<int, double> curve;
  for (const auto& [key, value] : object.items()) {
    int cores = 0;
    const char* const end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data(), end, cores);
    if (error != std::errc{} || rest != end || cores < 1 || cores > most_cores)
      fail(origin, fmt::format("unknown field \"interface.{}\"; the fields are numbers of cores "
                               "from 1 to {}",
                               key, most_cores));
    const double factor = value.is_number() ? value.get<double>() : 0;
    if (!(factor > 0) || !std::isfinite(factor) || (cores == 1 && factor != 1))
      fail(origin, fmt::format("field \"interface.{}\" must be {}, not {}", key,
                               cores == 1 ? "1" : "a number above 0", value.dump()));
    curve[cores] = factor;
  }
  if (!curve.contains(1)) fail(origin, "field \"interface.1\" is missing; add it");
  return {{curve.begin(), curve.end()}};
}

std::vector<Step> steps_of(const nlohmann::json& list, std::string_view origin) {
  if (!list.is_array() || list.empty())
    fail(origin, "field \"steps\" must be a list in brackets, not empty");
  std::vector<std::string_view> known{"from"};
  for (const auto& field : step_fields) known.push_back(field.name);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("steps[{}]", i), dotted = place + ".";
    if (!list[i].is_object()) fail(origin, fmt::format("field \"{}\" must be in braces", place));
    refuse_unknown(list[i], known, origin, dotted);
    Step step{.from = whole(list[i], "from", most_bytes, origin, dotted)};
    if (i == 0 ? step.from != 0 : step.from <= steps.back().from)
      fail(origin,
           fmt::format("field \"{}from\" must be {}, not {}", dotted,
                       i == 0 ? "0" : fmt::format("above {}", steps.back().from), step.from));
    for (const auto& field : step_fields) step.*field.rate = number(list[i], field, origin, dotted);
    steps.push_back(step);
  }
  return steps;
}

Mesh mesh_of(const std::string& text, std::string_view origin) {
  try {
    return parse_mesh(text);
  } catch (const std::invalid_argument& error) {
    fail(origin, fmt::format("field \"mesh\": {}", error.what()));
  }
}

/// Numbers by names of a list.
std::map<std::string, double, std::less<>> numbers_of(const nlohmann::json& object,
                                                      std::span<const std::string_view> names,
                                                      double unit, std::string_view origin,
                                                      std::string_view field) {
  if (!object.is_object())
    fail(origin, fmt::format("field \"{}\" must be an object in braces", field));
  const std::string place = fmt::format("{}.", field);
  refuse_unknown(object, {names.begin(), names.end()}, origin, place);
  std::map<std::string, double, std::less<>> numbers;
  for (const auto& item : object.items())
    numbers[item.key()] = number(object, item.key(), origin, place) * unit;
  return numbers;
}

MeasuredOn measured_on_of(const nlohmann::json& object, std::string_view origin) {
  constexpr std::string_view place = "measured_on.";
  if (!object.is_object()) fail(origin, "field \"measured_on\" must be an object in braces");
  refuse_unknown(object, {"mpi", "processor", "cores"}, origin, place);
  return {text(object, "mpi", origin, place), text(object, "processor", origin, place),
          static_cast<int>(whole(object, "cores", most_cores, origin, place))};
}

constexpr Field<Decision> microseconds{"us", &Decision::seconds, 1e-6};

Decision decision_of(const nlohmann::json& object, Collective collective, std::string_view origin,
                     std::string_view place) {
  if (!object.is_object()) fail(origin, fmt::format("field \"{}\" must be in braces", place));
  const std::string dotted = fmt::format("{}.", place);
  refuse_unknown(object, {"from", "algorithm", "us", "measured"}, origin, dotted);
  Decision decision{.from = whole(object, "from", most_bytes, origin, dotted)};
  const std::string algorithm = text(object, "algorithm", origin, dotted);
  try {
    if (algorithm != "native")
      decision.request = parse_request(fmt::format("{}/{}", name_of(collective), algorithm));
  } catch (const std::invalid_argument& error) {
    fail(origin, fmt::format("field \"{}algorithm\": {}", dotted, error.what()));
  }
  decision.seconds = number(object, microseconds, origin, dotted);
  const nlohmann::json& measured = at(object, "measured", origin, dotted);
  if (!measured.is_boolean())
    fail(origin, fmt::format("field \"{}measured\" must be true or false", dotted));
  decision.measured = measured.get<bool>();
  return decision;
}

bool is_shorter(const std::pair<std::string, double>& a, const std::pair<std::string, double>& b) {
  return std::tie(a.second, a.first) < std::tie(b.second, b.first);
}

/// {"at": 512, "ring": 12.5, "native": 14.1}: what candidates took, in us.
SizeMeasured measured_of(const nlohmann::json& object, Collective collective,
                         std::string_view origin, std::string_view place) {
  if (!object.is_object()) fail(origin, fmt::format("field \"{}\" must be in braces", place));
  const std::string dotted = fmt::format("{}.", place);
  SizeMeasured result{whole(object, "at", most_bytes, origin, dotted), {}};
  for (const auto& item : object.items()) {
    if (item.key() == "at") continue;
    try {
      if (item.key() != "native")
        parse_request(fmt::format("{}/{}", name_of(collective), item.key()));
    } catch (const std::invalid_argument& error) {
      fail(origin, fmt::format("field \"{}\": {}", place, error.what()));
    }
    result.seconds.emplace_back(item.key(), number(object, item.key(), origin, dotted) * 1e-6);
  }
  if (result.seconds.empty())
    fail(origin, fmt::format("field \"{}\" names no candidate; remove it", place));
  std::stable_sort(result.seconds.begin(), result.seconds.end(), is_shorter);
  return result;
}

Decisions decisions_of(const nlohmann::json& list, std::string_view origin) {
  if (!list.is_array()) fail(origin, "field \"decisions\" must be a list in brackets");
  Decisions decisions;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("decisions[{}]", i), dotted = place + ".";
    if (!list[i].is_object()) fail(origin, fmt::format("field \"{}\" must be in braces", place));
    refuse_unknown(list[i], {"collective", "topology", "blocks", "choices", "measured_us"}, origin,
                   dotted);
    DecisionRow row;
    try {
      row.collective = parse_collective(text(list[i], "collective", origin, dotted));
    } catch (const std::invalid_argument& error) {
      fail(origin, fmt::format("field \"{}collective\": {}", dotted, error.what()));
    }
    const std::string topology = text(list[i], "topology", origin, dotted);
    try {
      row.topology = parse_topology(topology);
    } catch (const std::invalid_argument& error) {
      fail(origin, fmt::format("field \"{}topology\": {}", dotted, error.what()));
    }
    if (list[i].contains("blocks")) {
      const std::string blocks = text(list[i], "blocks", origin, dotted);
      if (blocks != "even" && blocks != "uneven")
        fail(origin, fmt::format("field \"{}blocks\" must be \"even\" or \"uneven\"", dotted));
      row.blocks = blocks == "even" ? Evenness::even : Evenness::uneven;
    }
    const nlohmann::json& choices = at(list[i], "choices", origin, dotted);
    if (!choices.is_array())
      fail(origin, fmt::format("field \"{}choices\" must be a list in brackets", dotted));
    for (std::size_t j = 0; j < choices.size(); ++j)
      row.choices.push_back(
          decision_of(choices[j], row.collective, origin, fmt::format("{}choices[{}]", dotted, j)));
    const nlohmann::json measured = list[i].value("measured_us", nlohmann::json::array());
    if (!measured.is_array())
      fail(origin, fmt::format("field \"{}measured_us\" must be a list in brackets", dotted));
    for (std::size_t j = 0; j < measured.size(); ++j)
      row.measured.push_back(measured_of(measured[j], row.collective, origin,
                                         fmt::format("{}measured_us[{}]", dotted, j)));
    try {
      decisions.add(std::move(row));
    } catch (const std::invalid_argument& error) {
      fail(origin, fmt::format("field \"{}\": {}", place, error.what()));
    }
  }
  return decisions;
}

/// Short, and what parsing gives back is as good.
double rounded(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);  // no matter how small
}

using Json = nlohmann::ordered_json;

Json json_of(const DecisionRow& row) {
  Json choices = Json::array();
  for (const Decision& each : row.choices)
    choices.push_back({{"from", each.from},
                       {"algorithm", name_in_table(each.request)},
                       {"us", rounded(each.seconds / microseconds.unit)},
                       {"measured", each.measured}});
  Json json{{"collective", name_of(row.collective)}, {"topology", row.topology->describe()}};
  if (row.blocks != Evenness::any) json["blocks"] = name_of(row.blocks);
  json["choices"] = choices;
  for (const SizeMeasured& each : row.measured) {
    auto times = each.seconds;
    for (auto& [name, time] : times) time = rounded(time / microseconds.unit);
    std::sort(times.begin(), times.end(), is_shorter);
    Json at{{"at", each.bytes}};
    for (const auto& [name, time] : times) at[name] = time;
    json["measured_us"].push_back(std::move(at));
  }
  return json;
}

/// Objects and lists of plain values on one line, others on several.
std::string laid_out(const Json& value, int depth = 0) {
  const bool plain = std::none_of(value.begin(), value.end(),
                                  [](const Json& each) { return each.is_structured(); });
  if (!value.is_structured() || value.empty()) return value.dump();
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  std::string text;
  for (const auto& item : value.items()) {
    text += text.empty() ? "" : plain && depth > 0 ? ", " : ",\n";
    if (!plain || depth == 0) text += indent + "  ";
    if (value.is_object()) text += Json(item.key()).dump() + ": ";
    text += laid_out(item.value(), depth + 1);
  }
  if (!plain || depth == 0) text = "\n" + text + "\n" + indent;
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

std::span<const std::string_view> gamma_names() { return std::span(work_names).subspan(1); }
std::span<const std::string_view> uncertainty_names() { return uncertain; }

std::string format_profile(const Profile& profile) {
  Json object{{"name", profile.name}, {"source", profile.source}};
  for (const auto& field : fields)
    object[std::string(field.name)] = rounded(profile.rates.*field.rate / field.unit);
  if (profile.node) {
    for (const auto& field : node_fields)
      object["node"][std::string(field.name)] = rounded((*profile.node).*field.rate / field.unit);
    object["node"][std::string(reading_field.name)] = rounded(profile.node->reading);
    object["node"]["cores"] = profile.node->cores;
  }
  for (const auto& [cores, factor] : profile.interface.curve)
    object["interface"][fmt::format("{}", cores)] = rounded(factor);
  for (const Step& step : profile.steps) {
    Json each{{"from", step.from}};
    for (const auto& field : step_fields)
      each[std::string(field.name)] = rounded(step.*field.rate / field.unit);
    object["steps"].push_back(each);
  }
  if (profile.mesh) object["mesh"] = profile.mesh->describe();
  const auto add = [&](const char* field, const auto& numbers, auto names, double unit) {
    for (const std::string_view name : names)
      if (const auto found = numbers.find(name); found != numbers.end())
        object[field][found->first] = rounded(found->second / unit);
  };
  add("gammas", profile.gammas, gamma_names(), 1e-9);
  if (profile.rates.post > 0)
    object[std::string(post_field.name)] = rounded(profile.rates.post / post_field.unit);
  if (profile.piece > 0) object["piece_bytes"] = profile.piece;
  add("uncertainty_percent", profile.uncertainty, uncertainty_names(), 0.01);
  if (profile.measured_on)
    object["measured_on"] = {{"mpi", profile.measured_on->mpi},
                             {"processor", profile.measured_on->processor},
                             {"cores", profile.measured_on->cores}};
  for (const DecisionRow& row : profile.decisions.rows())
    object["decisions"].push_back(json_of(row));
  return laid_out(object) + "\n";
}

double Profile::gamma_of(Work work) const {
  const auto found = gammas.find(name_of(work));
  return found != gammas.end() ? found->second : rates.gamma;
}

Machine Profile::machine_for(const Topology* topology, int cores, Work work) const {
  if (!node && topology != nullptr && topology->largest() > 1)
    throw std::invalid_argument(fmt::format(
        "profile {}: tells nothing of its nodes; add \"node\", or leave the topology out", name));
  Machine machine{rates, node.value_or(NodeRates{}), interface, steps, mesh};
  machine.rates.gamma = gamma_of(work);
  if (machine.node.cores == 0) machine.node.cores = cores;
  return machine;
}

Profile parse_profile(std::string_view text_of_file, std::string_view origin) {
  const nlohmann::json object = parsed(text_of_file, origin);
  if (!object.is_object()) fail(origin, "must be a JSON object; compare with a file in profiles/");
  std::vector<std::string_view> known{"name", "source"};
  for (const auto& field : fields) known.push_back(field.name);
  known.insert(known.end(), {"node", "interface", "steps", "mesh", "gammas", post_field.name,
                             "piece_bytes", "uncertainty_percent", "measured_on", "decisions"});
  refuse_unknown(object, known, origin);
  Profile profile{text(object, "name", origin), text(object, "source", origin), {}};
  for (const auto& field : fields) profile.rates.*field.rate = number(object, field, origin);
  if (object.contains("node")) profile.node = node_of(object["node"], origin);
  if (object.contains("interface")) profile.interface = interface_of(object["interface"], origin);
  if (object.contains("steps")) profile.steps = steps_of(object["steps"], origin);
  if (object.contains("mesh")) profile.mesh = mesh_of(text(object, "mesh", origin), origin);
  if (object.contains("gammas"))
    profile.gammas = numbers_of(object["gammas"], gamma_names(), 1e-9, origin, "gammas");
  if (object.contains(post_field.name)) profile.rates.post = number(object, post_field, origin);
  if (object.contains("piece_bytes"))
    if ((profile.piece = whole(object, "piece_bytes", most_piece, origin, "")) == 0)
      fail(origin, "field \"piece_bytes\" must be above 0; leave it out if it is not known");
  if (object.contains("uncertainty_percent"))
    profile.uncertainty = numbers_of(object["uncertainty_percent"], uncertainty_names(), 0.01,
                                     origin, "uncertainty_percent");
  if (object.contains("measured_on"))
    profile.measured_on = measured_on_of(object["measured_on"], origin);
  if (object.contains("decisions")) profile.decisions = decisions_of(object["decisions"], origin);
  return profile;
}

Profile read_profile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    fail(path.string(), "cannot be read; give the path of a JSON file");
  return parse_profile(std::string(std::istreambuf_iterator(file), {}), path.string());
}

const Profile& default_profile() {
  static const Profile profile = [] {
    for (const auto& [name, text_of_file] : shipped_profiles())
      if (name == "fabric-100g") return parse_profile(text_of_file, name);
    throw std::logic_error("profiles/fabric-100g.json was not there at build time; add it");
  }();
  return profile;
}

}  // namespace tutti::core
