// Where profiles are looked for, and whether one is of this machine.

#include "select/profiles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "schedule/suggest.hpp"

namespace tutti::core {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path, std::string_view label) {
  std::ifstream file(path);
  std::error_code error;
  if (!file || fs::is_directory(path, error))
    throw std::invalid_argument(
        fmt::format("{}profile {}: cannot be read; give the path of a JSON file, or none", label,
                    path.string()));
  return {std::istreambuf_iterator(file), {}};
}

}  // namespace

fs::path folder_of(const Variables& variables, const char* variable, const char* otherwise) {
  // A relative one means nothing, says the standard of these folders.
  if (const fs::path given = variables(variable); given.is_absolute()) return given / "tutti";
  if (const fs::path home = variables("HOME"); home.is_absolute())
    return home / otherwise / "tutti";
  return {};
}

std::optional<FoundProfile> find_profile(const Variables& variables, const fs::path& system) {
  constexpr std::string_view label = "TUTTI_PROFILE: ";
  const std::string named = variables("TUTTI_PROFILE");
  if (named == "none") return std::nullopt;
  std::error_code error;
  if (!named.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, text] : shipped_profiles()) {
      if (name == named) return FoundProfile{std::string(text), name, true};
      names.push_back(name);
    }
    if (fs::exists(named, error)) return FoundProfile{text_of(named, label), named, true};
    const std::string near = suggestion(named, names);
    throw std::invalid_argument(
        fmt::format("{}no file and no shipped profile '{}'{}", label, named,
                    near.empty() ? fmt::format(": shipped are {}", fmt::join(names, ", ")) : near));
  }
  const fs::path user = folder_of(variables, "XDG_CONFIG_HOME", ".config");
  for (const fs::path& folder : {user, system / "tutti"}) {
    const fs::path file = folder / "profile.json";
    if (!folder.empty() && fs::exists(file, error))
      return FoundProfile{text_of(file, ""), file.string(), false};
  }
  return std::nullopt;
}

Profile with_nodes(Profile profile) {
  if (!profile.node) profile.node = default_profile().node;
  return profile;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return *name == '\0' ? "unknown" : name;
}

MeasuredOn here(std::string mpi) {
  MeasuredOn result{std::move(mpi), "unknown", static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))};
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(':');
        line.starts_with("model name") && colon + 2 < line.size()) {
      result.processor = line.substr(colon + 2);
      break;
    }
  return result;
}

std::string foreign(const Profile& profile, const MeasuredOn& here) {
  if (!profile.measured_on || *profile.measured_on == here) return "";
  const MeasuredOn& there = *profile.measured_on;
  const auto differs = [](std::string_view field, const auto& its, const auto& ours) {
    return fmt::format("field \"measured_on.{}\" is {}, but here it is {}", field, its, ours);
  };
  if (there.mpi != here.mpi) return differs("mpi", there.mpi, here.mpi);
  if (there.processor != here.processor)
    return differs("processor", there.processor, here.processor);
  return differs("cores", there.cores, here.cores);
}

}  // namespace tutti::core
