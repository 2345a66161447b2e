#include "select/environment.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>

#include "request/request.hpp"
#include "schedule/bytes.hpp"
#include "schedule/suggest.hpp"
#include "topology/topology.hpp"

namespace tutti::core {
namespace {

constexpr std::string_view prefix = "TUTTI_";

void check_switch(std::string_view value) {
  if (value != "0" && value != "1")
    throw std::invalid_argument(fmt::format("'{}' is no switch: write 0 or 1", value));
}

void check_node(std::string_view value) {
  if (value != "shared" && value != "attach" && value != "copy" && value != "off")
    throw std::invalid_argument(
        fmt::format("'{}' is no way within a node: write shared, attach, copy or off", value));
}

void check_learn(std::string_view value) {
  if (value != "off" && value != "on" && value != "keep" && value != "any")
    throw std::invalid_argument(
        fmt::format("'{}' is no way to learn: write off, on, keep or any", value));
}

void check_topology(std::string_view value) { parse_topology(value); }

/// MPI counts in int: 1G is within it.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
/// The executor notes pieces that come before their turn in as many bits.
constexpr std::size_t most_in_flight = 64;

template <std::size_t most>
void check_number(std::string_view value) {
  try {
    if (const std::size_t number = parse_bytes(value); number >= 1 && number <= most) return;
  } catch (const std::invalid_argument&) {
  }
  throw std::invalid_argument(fmt::format("'{}' is not in range: write a number from 1 to {}{}",
                                          value, format_bytes(most),
                                          most == most_bytes ? " (8, 32K, 1M)" : ""));
}

/// What each variable's value is checked with: the one place that knows all names.
using Checks = std::map<std::string, std::function<void(std::string_view)>, std::less<>>;
const Checks& checks() {
  static const Checks all = [] {
    Checks result{
        {"TUTTI_CHECK", check_switch},
        {"TUTTI_COMMUNICATORS", check_number<most_bytes>},
        {"TUTTI_EXPLAIN", [](std::string_view) {}},  // any word is a file's name
        {"TUTTI_IN_FLIGHT", check_number<most_in_flight>},
        {"TUTTI_LEARN", check_learn},
        {"TUTTI_NODE", check_node},
        {"TUTTI_OFF", [](std::string_view value) { parse_off(value); }},
        {"TUTTI_PIECE", check_number<most_bytes>},
        {"TUTTI_PROFILE", [](std::string_view) {}},  // one rank looks for the file
        {"TUTTI_RECORD", [](std::string_view) {}},   // a file's name, which one rank looks at
        {"TUTTI_STRICT", check_switch},
        {"TUTTI_TOPOLOGY", check_topology},
        {"TUTTI_TRACE", [](std::string_view) {}},  // any word is a file's name
    };
    for (int i = 0; i < collective_count; ++i) {
      const auto collective = static_cast<Collective>(i);
      result[algorithm_variable(collective)] = [collective](std::string_view value) {
        if (value != "native") parse_request(fmt::format("{}/{}", name_of(collective), value));
      };
    }
    return result;
  }();
  return all;
}

}  // namespace

std::vector<std::string> known_variables() {
  std::vector<std::string> names;
  for (const auto& [name, check] : checks()) names.push_back(name);
  return names;
}

std::string algorithm_variable(Collective collective) {
  std::string name = fmt::format("{}ALGORITHM_{}", prefix, name_of(collective));
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::vector<Collective> parse_off(std::string_view text) {
  std::vector<Collective> off;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    if (name == "all")
      for (int i = 0; i < collective_count; ++i) off.push_back(static_cast<Collective>(i));
    else
      off.push_back(parse_collective(name));
    if (comma == std::string_view::npos) return off;
    text.remove_prefix(comma + 1);
  }
}

void check_variable(std::string_view name, std::string_view value, std::string_view label) {
  const auto known = checks().find(name);
  if (known == checks().end()) {
    const std::string hint = suggestion(name, known_variables());
    throw std::invalid_argument(
        fmt::format("unknown variable {}{}", name,
                    hint.empty() ? ": unset it; docs/environment.md lists the known ones" : hint));
  }
  try {
    if (!value.empty()) known->second(value);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", label, error.what()));
  }
}

std::string cannot_write(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : ".";
  if (fs::is_directory(file, error))
    return fmt::format("'{}' is a folder: name a file in it", file);
  if (!fs::is_directory(folder, error))
    return fmt::format("cannot write '{}': there is no folder '{}': make it, or name another", file,
                       folder.string());
  const bool is_there = fs::exists(file, error);
  if (access(is_there ? file.c_str() : folder.c_str(), W_OK) != 0)
    return fmt::format("cannot write '{}': the {} is not writable: name another", file,
                       is_there ? "file" : "folder");
  return "";
}

void check_environment(const char* const* environment) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (name.starts_with(prefix) && name.size() < entry.size())
      check_variable(name, entry.substr(name.size() + 1), name);
  }
}

}  // namespace tutti::core
