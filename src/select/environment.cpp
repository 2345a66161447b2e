// The table of variables, and what each may hold.

#include "select/environment.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
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

constexpr std::string_view nodes[] = {"shared", "attach", "copy", "off"};
constexpr std::string_view learns[] = {"off", "on", "keep", "any"};

/// Its place among the words; `what` they are for.
int place_of(std::string_view value, std::span<const std::string_view, 4> words,
             std::string_view what) {
  const auto found = std::find(words.begin(), words.end(), value);
  if (found == words.end())
    throw std::invalid_argument(fmt::format("'{}' is no {}: write {}, {}, {} or {}", value, what,
                                            words[0], words[1], words[2], words[3]));
  return static_cast<int>(found - words.begin());
}
int node_of(std::string_view value) { return place_of(value, nodes, "way within a node"); }
int learn_of(std::string_view value) { return place_of(value, learns, "way to learn"); }

void check_node(std::string_view value) { node_of(value); }
void check_learn(std::string_view value) { learn_of(value); }
void check_off(std::string_view value) { parse_off(value); }
void check_topology(std::string_view value) { parse_topology(value); }

/// MPI counts in int: 1G is within it.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
/// The executor notes pieces that come before their turn in as many bits.
constexpr std::size_t most_in_flight = 64;

template <std::size_t least, std::size_t most>
void check_number(std::string_view value) {
  try {
    if (const std::size_t number = parse_bytes(value); number >= least && number <= most) return;
  } catch (const std::invalid_argument&) {
  }
  throw std::invalid_argument(fmt::format("'{}' is not in range: write a number from {} to {}{}",
                                          value, least, format_bytes(most),
                                          most == most_bytes ? " (8, 32K, 1M)" : ""));
}

/// All but those of the collectives.
constexpr VariableRow table[] = {
    {Variable::explain, "TUTTI_EXPLAIN", "--explain",
     "A table of all calls on standard error when the program ends; --explain=FILE: as JSON in "
     "that file",
     nullptr},
    {Variable::trace, "TUTTI_TRACE", "--trace",
     "Record every message, wait and reduction of all ranks in this file, as trace events (tutti "
     "trace)",
     nullptr},
    {Variable::record, "TUTTI_RECORD", "--record",
     "Where the time of collectives goes, as JSON in that file when the program ends; tutti "
     "report shows it",
     nullptr},  // one rank looks at the file
    {Variable::off, "TUTTI_OFF", "--off",
     "Collectives left to the MPI, commas between, or all. May be repeated", check_off},
    {Variable::check, "TUTTI_CHECK", "--check", "Verify in every call that all ranks agree",
     check_switch},
    {Variable::strict, "TUTTI_STRICT", "--no-strict",
     "A forced algorithm that cannot run is a warning, not an error", check_switch},
    {Variable::piece, "TUTTI_PIECE", "--piece", "Bytes of a message's pieces, K, M, G",
     check_number<1, most_bytes>},
    {Variable::in_flight, "TUTTI_IN_FLIGHT", "--in-flight", "Pieces under way at a time",
     check_number<1, most_in_flight>},
    {Variable::node, "TUTTI_NODE", "--node",
     "Within a node: shared (memory; large messages are read where they stand if that is cheap), "
     "attach (read whatever it takes), copy (nobody reads another's), off (the MPI)",
     check_node},
    {Variable::topology, "TUTTI_TOPOLOGY", "--topology",
     "Pretend that ranks live elsewhere: 3x4, 2x3x4 with domains of nodes, 3x4:cyclic or the node "
     "of "
     "each, 0,0,1,1",
     check_topology},
    {Variable::profile, "TUTTI_PROFILE", "--profile",
     "The machine's profile: a file, a shipped one's name, or none", nullptr},  // one rank looks
    {Variable::learn, "TUTTI_LEARN", "--learn",
     "Algorithms take turns in first calls: on (default), off, keep (what is learned is stored), "
     "any (floats may differ from call to call)",
     check_learn},
    {Variable::young, "TUTTI_YOUNG", "--young",
     "How many first calls of few bytes the MPI does on each communicator, 0 to 1G; of more bytes "
     "fewer do",
     check_number<0, most_bytes>},
    {Variable::communicators, "TUTTI_COMMUNICATORS", nullptr,
     "How many private communicators a process may have at a time", check_number<1, most_bytes>},
};

/// A collective whose variable that is.
std::optional<Collective> collective_of(std::string_view name) {
  for (int i = 0; i < collective_count; ++i)
    if (const auto collective = static_cast<Collective>(i); name == algorithm_variable(collective))
      return collective;
  return std::nullopt;
}

}  // namespace

std::span<const VariableRow> variables() { return table; }

const VariableRow& row_of(Variable variable) { return table[static_cast<std::size_t>(variable)]; }

std::string in_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}
std::string value_of(Variable variable) { return in_environment(row_of(variable).name); }

std::size_t bytes_of(Variable variable, std::size_t otherwise) {
  const std::string value = value_of(variable);
  return value.empty() ? otherwise : parse_bytes(value);
}

int choice_of(Variable variable, int otherwise) {
  const std::string value = value_of(variable);
  if (value.empty()) return otherwise;
  return variable == Variable::node ? node_of(value) : learn_of(value);
}

std::vector<std::string> known_variables() {
  std::vector<std::string> names;
  for (const VariableRow& row : table) names.emplace_back(row.name);
  for (int i = 0; i < collective_count; ++i)
    names.push_back(algorithm_variable(static_cast<Collective>(i)));
  std::sort(names.begin(), names.end());
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
  const auto* const row = std::find_if(std::begin(table), std::end(table),
                                       [&](const VariableRow& each) { return each.name == name; });
  const auto collective = collective_of(name);
  if (row == std::end(table) && !collective) {
    const std::string hint = suggestion(name, known_variables());
    throw std::invalid_argument(
        fmt::format("unknown variable {}{}", name,
                    hint.empty() ? ": unset it; docs/environment.md lists the known ones" : hint));
  }
  if (value.empty()) return;
  try {
    if (!collective && row->check != nullptr) row->check(value);
    if (collective && value != "native")
      parse_request(fmt::format("{}/{}", name_of(*collective), value));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", label, error.what()));
  }
}

void set_variable(std::string_view name, const std::string& value, std::string_view label) {
  check_variable(name, value, label);
  setenv(std::string(name).c_str(), value.c_str(), 1);
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
