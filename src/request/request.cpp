// Algorithms and their parameters between text and values.

#include "request/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "schedule/bytes.hpp"
#include "schedule/suggest.hpp"

namespace tutti::core {
namespace {

/// The two sides of the first `mark`; the second is empty if there is none.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

const Algorithm& find_algorithm(std::string_view full_name) {
  const auto [collective_name, name] = cut(full_name, '/');
  const Collective collective = parse_collective(collective_name);
  std::vector<std::string> names;
  for (const Algorithm* algorithm : algorithms_of(collective)) {
    if (algorithm->name == name) return *algorithm;
    names.emplace_back(algorithm->name);
  }
  if (name.empty())
    throw std::invalid_argument(
        fmt::format("'{}' names no algorithm: write {}/ALGORITHM (tutti list {})", full_name,
                    collective_name, collective_name));
  const std::string near = nearest(name, names);
  throw std::invalid_argument(
      fmt::format("unknown algorithm '{}'{} (tutti list {})", full_name,
                  near.empty() ? "" : fmt::format(": did you mean '{}/{}'?", collective_name, near),
                  collective_name));
}

std::string parameter_names(const Algorithm& algorithm, std::string_view asked) {
  std::vector<std::string> names;
  for (const Parameter& parameter : algorithm.parameters) names.emplace_back(parameter.name);
  if (names.empty()) return ": it has no parameters";
  const std::string hint = suggestion(asked, names);
  return hint.empty() ? fmt::format(": it has {}", fmt::join(names, ", ")) : hint;
}

std::size_t parse_value(std::string_view value, const Parameter& parameter, std::string_view name,
                        std::string_view of) {
  try {
    return parameter.parse == nullptr ? parse_bytes(value) : parameter.parse(value);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} of {}: {}", name, of, error.what()));
  }
}

/// The place of an algorithm that a composition may use.
std::size_t parse_inner(std::string_view value, const Algorithm& algorithm,
                        const Parameter& parameter, std::string_view of) {
  const auto known = algorithms_of(parameter.inner->collective);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!algorithm.may_use(*known[i])) continue;
    if (known[i]->name == value) return i;
    names.emplace_back(known[i]->name);
  }
  throw std::invalid_argument(fmt::format("{} of {} cannot be '{}'{}: write one of {}",
                                          parameter.name, of, value, suggestion(value, names),
                                          fmt::join(names, ", ")));
}

/// A parameter, and the algorithm that has it: the one asked for, or an inner one.
struct Found {
  const Algorithm& algorithm;
  const Parameter& parameter;
};
Found find_parameter(const Algorithm& algorithm, const Parameters& parameters,
                     std::string_view name) {
  if (const Parameter* inner = algorithm.inner(); inner && name.starts_with(inner_prefix)) {
    const auto place = parameters.find(inner->name);
    if (place == parameters.end())
      throw std::invalid_argument(fmt::format("{} of {}: write {}=ALGORITHM before it", name,
                                              algorithm.full_name(), inner->name));
    return find_parameter(inner_algorithm(inner->inner->collective, place->second),
                          inner_parameters(parameters), name.substr(inner_prefix.size()));
  }
  const auto& known = algorithm.parameters;
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Parameter& each) { return each.name == name; });
  if (found == known.end())
    throw std::invalid_argument(fmt::format("unknown parameter '{}' of {}{}", name,
                                            algorithm.full_name(),
                                            parameter_names(algorithm, name)));
  return {algorithm, *found};
}

}  // namespace

Collective parse_collective(std::string_view name) {
  if (const auto collective = collective_named(name)) return *collective;
  std::vector<std::string> names;
  for (int i = 0; i < collective_count; ++i)
    names.emplace_back(name_of(static_cast<Collective>(i)));
  throw std::invalid_argument(
      fmt::format("unknown collective '{}'{} (tutti list)", name, suggestion(name, names)));
}

Request parse_request(std::string_view text) {
  auto [full_name, rest] = cut(text, ':');
  Request request{&find_algorithm(full_name), {}};
  if (full_name.size() < text.size() && rest.empty())
    throw std::invalid_argument(
        fmt::format("'{}' ends after ':': write :PARAMETER=VALUE or leave the ':' out", text));
  while (!rest.empty()) {
    const auto [setting, others] = cut(rest, ',');
    const auto [name, value] = cut(setting, '=');
    if (others.empty() && setting.size() < rest.size())
      throw std::invalid_argument(
          fmt::format("'{}' ends after ',': write PARAMETER=VALUE or leave the ',' out", text));
    const auto& [owner, parameter] = find_parameter(*request.algorithm, request.parameters, name);
    if (value.empty())
      throw std::invalid_argument(
          fmt::format("{} of {} has no value: write {}=VALUE", name, full_name, name));
    const std::size_t number = parameter.inner ? parse_inner(value, owner, parameter, full_name)
                                               : parse_value(value, parameter, name, full_name);
    if (number < parameter.least)
      throw std::invalid_argument(fmt::format("{} of {} is {}: write at least {}", name, full_name,
                                              value, parameter.least));
    if (!request.parameters.emplace(name, number).second)
      throw std::invalid_argument(fmt::format("{} of {} is given twice", name, full_name));
    rest = others;
  }
  return request;
}

std::string format_value(const Algorithm& algorithm, const Parameters& parameters,
                         std::string_view name) {
  const Parameter& parameter = find_parameter(algorithm, parameters, name).parameter;
  const std::size_t value = parameters.find(name)->second;
  if (parameter.inner) return std::string(inner_algorithm(parameter.inner->collective, value).name);
  return parameter.format == nullptr ? fmt::format("{}", value) : parameter.format(value);
}

bool is_number(const Algorithm& algorithm, const Parameters& parameters, std::string_view name) {
  const std::string text = format_value(algorithm, parameters, name);
  return text.find_first_not_of("0123456789") == std::string::npos;
}

std::string format_request(const Algorithm& algorithm, const Parameters& parameters) {
  std::string text = algorithm.full_name();
  for (char mark = ':'; const auto& [name, value] : parameters) {
    text += fmt::format("{}{}={}", mark, name, format_value(algorithm, parameters, name));
    mark = ',';
  }
  return text;
}

}  // namespace tutti::core
