// Writes a profile as JSON, laid out for people.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "model/profile_fields.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

/// Short, and what parsing gives back is as good.
double rounded(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);  // no matter how small
}

Json json_of(const DecisionRow& row) {
  Json choices = Json::array();
  for (const Decision& each : row.choices)
    choices.push_back({{"from", each.from},
                       {"algorithm", name_in_table(each.request)},
                       {"us", rounded(each.seconds / decision_field.unit)},
                       {"measured", each.measured}});
  Json json{{"collective", name_of(row.collective)}, {"topology", row.topology->describe()}};
  if (row.blocks != Evenness::any) json["blocks"] = name_of(row.blocks);
  json["choices"] = choices;
  for (const SizeMeasured& each : row.measured) {
    auto times = each.seconds;
    for (auto& [name, time] : times) time = rounded(time / decision_field.unit);
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

std::string format_profile(const Profile& profile) {
  Json object{{"name", profile.name}, {"source", profile.source}};
  for (const auto& field : rate_fields)
    object[std::string(field.name)] = rounded(profile.rates.*field.rate / field.unit);
  if (profile.node) {
    for (const auto& field : node_fields)
      object["node"][std::string(field.name)] = rounded((*profile.node).*field.rate / field.unit);
    object["node"][std::string(reading_field.name)] = rounded(profile.node->reading);
    if (profile.node->across != NodeRates{}.across)
      object["node"][std::string(across_field.name)] = rounded(profile.node->across);
    if (profile.node->again != NodeRates{}.again)
      object["node"][std::string(again_field.name)] = rounded(profile.node->again);
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

}  // namespace tutti::core
