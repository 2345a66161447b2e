// Writes what was learned into a profile in the user's cache.

#include "api/machine/learned_store.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include "api/machine/knowledge.hpp"
#include "api/process/finalize.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/settings.hpp"
#include "schedule/whole_file.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

namespace fs = std::filesystem;

struct ToStore {
  std::mutex mutex;
  std::vector<Learned> all;
};
/// Never destroyed: the MPI may be finalized at the very end.
ToStore& to_store() {
  static auto* const value = new ToStore;
  return *value;
}

fs::path path() {
  const fs::path folder = folder_of(in_environment, "XDG_CACHE_HOME", ".cache");
  if (folder.empty()) return {};
  std::string name = fmt::format("{}-{}", host_name(), mpi_name());
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  return folder / (name + ".json");
}

/// What is there already, or what is known beside what was learned. Rates that nobody had found out
/// then, since all ranks shared a node, or none did, are those of now.
Profile earlier() {
  Profile known = known_profile();
  known.decisions = {};
  const auto found = stored_profile();
  if (!found) return known;
  try {
    Profile profile = parse_profile(found->text, found->origin);
    if (!foreign(profile, here(mpi_name())).empty()) return known;
    if (has_default_network(profile)) profile.rates = known.rates;
    if (has_default_nodes(profile)) profile.node = known.node;
    return profile;
  } catch (const std::invalid_argument&) {  // it was told of when the program began
    return known;
  }
}

/// Other programs may read or write it now.
void store(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (!write_whole(file, text))
    std::fprintf(stderr, "tutti: TUTTI_LEARN: cannot write '%s'\n", file.c_str());
}

void store_all() {
  const std::scoped_lock lock(to_store().mutex);
  const fs::path file = path();
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0 || file.empty()) return;
  try {
    Profile profile = earlier();
    profile.name = learned_name;
    profile.source = "what programs learned while they ran (TUTTI_LEARN=keep)";
    profile.measured_on = here(mpi_name());
    // What floats have learned serves integers, too: it goes before what those have.
    std::stable_partition(to_store().all.begin(), to_store().all.end(),
                          [](const Learned& each) { return !each.of_inexact; });
    add_learned(profile, to_store().all);
    store(file, format_profile(profile));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tutti: TUTTI_LEARN: nothing is kept: %s\n", error.what());
  }
}

}  // namespace

void store_learned(Learned learned) {
  const std::scoped_lock lock(to_store().mutex);
  if (to_store().all.empty()) at_finalize(store_all);
  to_store().all.push_back(std::move(learned));
}

std::optional<FoundProfile> stored_profile() {
  const fs::path file = path();
  std::ifstream in(file);
  if (file.empty() || !in) return std::nullopt;
  return FoundProfile{std::string(std::istreambuf_iterator(in), {}), file.string(), false};
}

}  // namespace tutti::core
