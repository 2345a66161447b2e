// Schedules that tutti show wrote as JSON: read back, and as a film for the page.

#include "cli/schedule_document.hpp"

#include "draw/film.hpp"
#include "request/request.hpp"
#include "schedule/json.hpp"
#include "verify/verify.hpp"

namespace tutti::core::cli {

using Json = nlohmann::ordered_json;

Json json_of(const Algorithm& algorithm, const Problem& problem, const Parameters& parameters,
             const std::vector<Schedule>& schedules) {
  Json json;
  json["algorithm"] = algorithm.full_name();
  json["problem"] = {{"collective", name_of(problem.collective)},
                     {"p", problem.p},
                     {"root", problem.root},
                     {"count", problem.count},
                     {"counts", problem.counts},
                     {"element_bytes", problem.element_bytes},
                     {"commutative", problem.commutative}};
  json["parameters"] = Json::object();
  if (problem.topology) json["problem"]["topology"] = problem.topology->describe();
  for (const auto& [name, value] : parameters)
    if (is_number(algorithm, parameters, name))
      json["parameters"][name] = value;
    else
      json["parameters"][name] = format_value(algorithm, parameters, name);
  json["schedules"] = Json::array();
  for (const Schedule& schedule : schedules) json["schedules"].push_back(to_json(schedule));
  return json;
}

namespace {

Problem problem_of(const JsonReader& reader) {
  Problem problem;
  problem.collective = reader.at("collective").word<Collective>(collective_count);
  problem.p = static_cast<int>(reader.at("p").number(film_limit.ranks));
  problem.root = static_cast<Rank>(reader.at("root").number(film_limit.ranks));
  problem.count = reader.at("count").number();
  for (const JsonReader& count : reader.at("counts").list())
    problem.counts.push_back(count.number());
  problem.element_bytes = reader.at("element_bytes").number();
  problem.commutative = reader.at("commutative").yes_or_no();
  if (reader.has("topology"))
    problem.topology = parse_topology(reader.at("topology").text(), problem.p);
  try {
    problem.validate();
  } catch (const std::invalid_argument& error) {
    reader.fail(fmt::format("is no problem: {}", error.what()));
  }
  return problem;
}

}  // namespace

ScheduleDocument read_schedules(const JsonReader& document) {
  ScheduleDocument read{document.at("algorithm").text(), problem_of(document.at("problem")), {}};
  const auto parameters = document.at("parameters");
  std::string list;
  for (const auto& [name, value] : parameters.json().items())
    list += fmt::format("{}{}={}", list.empty() ? ":" : ",", name,
                        value.is_string() ? value.get<std::string>() : value.dump());
  read.name += list;
  const JsonReader schedules = document.at("schedules");
  std::size_t slices = 0;
  for (const JsonReader& each : schedules.list()) {
    try {
      read.schedules.push_back(schedule_from_json(each.json()));
    } catch (const std::invalid_argument& error) {
      each.fail(fmt::format("cannot be read: {}", error.what()));
    }
    slices += read.schedules.back().slices.size();
    if (slices > film_limit.slices || read.schedules.back().round_count() > film_limit.rounds)
      each.fail(fmt::format("is too long to play: more than {} rounds, or {} slices in all",
                            film_limit.rounds, film_limit.slices));
  }
  if (read.schedules.size() != static_cast<std::size_t>(read.problem.p))
    schedules.fail(fmt::format("must be {}, one for each rank, not {}", read.problem.p,
                               read.schedules.size()));
  if (const auto findings = verify(read.problem, read.schedules, read.name); !findings.empty())
    schedules.fail(fmt::format("are wrong: {}", findings.front().describe()));
  return read;
}

Json film_data(const ScheduleDocument& document, const Profile& profile) {
  return tutti::core::json_of(
      film_of(document.name, document.problem, document.schedules, profile.name, profile.rates));
}

}  // namespace tutti::core::cli
