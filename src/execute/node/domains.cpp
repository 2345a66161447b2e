// Reads what the kernel tells of caches, memory and packages.

#include "execute/node/domains.hpp"

#include <charconv>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

namespace tutti::core {

namespace {

namespace files = std::filesystem;

std::string word_in(const files::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

/// `0-7,64-71`; nothing if it is no such list.
std::optional<cpu_set_t> cpus_in(std::string_view list) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  const char* at = list.data();
  const char* const end = at + list.size();
  const auto number = [&](int& value) {
    const auto [rest, error] = std::from_chars(at, end, value);
    at = rest;
    return error == std::errc{} && value >= 0 && value < CPU_SETSIZE;
  };
  while (at != end) {
    int first = 0, last = 0;
    if (!number(first)) return std::nullopt;
    last = first;
    if (at != end && *at == '-' && (++at, !number(last))) return std::nullopt;
    for (int cpu = first; cpu <= last; ++cpu) CPU_SET(cpu, &cpus);
    if (at != end && *at++ != ',') return std::nullopt;
  }
  return cpus;
}

int first_of(const cpu_set_t& cpus) {
  int cpu = 0;
  while (cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &cpus)) ++cpu;
  return cpu;
}

/// A number for the cpus of the list, if they hold all of `mine`.
std::uint16_t number_of(const std::string& list, const cpu_set_t& mine) {
  const auto all = cpus_in(list);
  if (!all) return 0;
  cpu_set_t both;
  CPU_AND(&both, &*all, &mine);
  if (!CPU_EQUAL(&both, &mine)) return 0;
  return static_cast<std::uint16_t>(first_of(*all) + 1);
}

/// The cpus that share the last cache of one.
std::string sharing_cache(const files::path& cpu) {
  std::string list;
  int last = 0;
  for (int i = 0;; ++i) {
    const files::path cache = cpu / "cache" / ("index" + std::to_string(i));
    const std::string text = word_in(cache / "level");
    if (text.empty()) return list;
    int level = 0;
    std::from_chars(text.data(), text.data() + text.size(), level);
    if (level <= last) continue;
    last = level;
    list = word_in(cache / "shared_cpu_list");
  }
}

/// The cpus that share the memory of one.
std::string sharing_memory(const files::path& cpu) {
  std::error_code error;
  for (files::directory_iterator entry(cpu, error), end; !error && entry != end;
       entry.increment(error))
    if (const std::string name = entry->path().filename();
        name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos)
      return word_in(entry->path() / "cpulist");
  return {};
}

}  // namespace

DomainsHere domains_of(const cpu_set_t& cpus, const files::path& system) {
  DomainsHere here;
  if (CPU_COUNT(&cpus) == 0) return here;
  const files::path cpu = system / "cpu" / ("cpu" + std::to_string(first_of(cpus)));
  here.at[DomainsHere::cache] = number_of(sharing_cache(cpu), cpus);
  here.at[DomainsHere::memory] = number_of(sharing_memory(cpu), cpus);
  here.at[DomainsHere::package] = number_of(word_in(cpu / "topology" / "core_siblings_list"), cpus);
  return here;
}

std::optional<DomainsHere::Level> nearest_level(const std::vector<DomainsHere>& ranks) {
  for (const auto level : {DomainsHere::cache, DomainsHere::memory, DomainsHere::package}) {
    std::set<std::uint16_t> seen;
    for (const DomainsHere& each : ranks) seen.insert(each.at[level]);
    if (!seen.contains(0) && seen.size() > 1 && seen.size() < ranks.size()) return level;
  }
  return std::nullopt;
}

}  // namespace tutti::core
