// Looks for a profile, and gives it to the other ranks.

#include "api/machine/knowledge.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "api/machine/learned_store.hpp"
#include "api/process/mpi_name.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "select/environment.hpp"
#include "select/profiles.hpp"

namespace tutti::core {

namespace {

using KnowledgePointer = std::shared_ptr<const Knowledge>;

/// What this process came to know first, and gives to others.
struct Own {
  std::mutex mutex;
  KnowledgePointer known;
};
Own& own() {
  static auto* const value = new Own;
  return *value;
}
KnowledgePointer known() {
  const std::scoped_lock lock(own().mutex);
  return own().known;
}

KnowledgePointer read(std::string text, std::string origin) {
  auto result = std::make_shared<Knowledge>();
  result->profile = with_nodes(parse_profile(text, origin));
  result->digest = std::hash<std::string>{}(text + origin) | 2;  // none has 0
  result->text = std::move(text);
  result->origin = std::move(origin);
  return result;
}

KnowledgePointer no_knowledge() {
  for (const auto& [name, text] : shipped_profiles())
    if (name == default_profile().name)
      return read(std::string(text), std::string(Knowledge::nothing));
  throw std::logic_error("the default profile is not among the shipped ones");
}

/// What an earlier run stored. If it is no good, a line says so: it will be written again.
KnowledgePointer look_for_stored() {
  const auto found = settings().learn == Settings::Learn::off || settings().profile == "none"
                         ? std::nullopt
                         : stored_profile();
  if (!found) return no_knowledge();
  std::string why;
  try {
    KnowledgePointer result = read(found->text, found->origin);
    why = foreign(result->profile, here(mpi_name()));
    if (why.empty() && is_learned(result->profile)) return result;
    why = fmt::format("profile {}: {}", found->origin, why.empty() ? "was not learned" : why);
  } catch (const std::invalid_argument& error) {
    why = error.what();
  }
  std::fprintf(stderr, "tutti: %s: it is not used\n", why.c_str());
  return no_knowledge();
}

/// Looks for a profile.
KnowledgePointer look() {
  try {
    const auto found = find_profile([](const char* name) {
      return std::string_view(name) == "TUTTI_PROFILE" ? settings().profile : in_environment(name);
    });
    if (!found) return look_for_stored();
    const char* const label = found->named ? "TUTTI_PROFILE: " : "";
    KnowledgePointer result;
    try {
      result = read(found->text, found->origin);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}{}", label, error.what()));
    }
    const std::string why = foreign(result->profile, here(mpi_name()));
    if (why.empty()) return result;
    const std::string line = fmt::format("{}profile {}: {}", label, found->origin, why);
    if (found->named) throw std::invalid_argument(line + "; name one of this machine");
    std::fprintf(stderr, "tutti: %s: it is not used; name one of this machine\n", line.c_str());
    return look_for_stored();
  } catch (const std::invalid_argument& error) {
    end_program(error.what(), true);
  }
}

/// What the first rank has, for all.
KnowledgePointer give(MPI_Comm comm, int rank, KnowledgePointer mine) {
  const auto digest = static_cast<long long>(mine ? mine->digest >> 1 : 0);
  const long long ours[2] = {digest, -digest};
  long long least[2] = {};
  native().allreduce(ours, least, 2, MPI_LONG_LONG, MPI_MIN, comm);
  if (least[0] == -least[1]) return mine;
  std::string both;
  int lengths[2] = {};
  if (rank == 0) {
    const std::string text = mine->text.empty() ? format_profile(mine->profile) : mine->text;
    lengths[0] = static_cast<int>(text.size());
    lengths[1] = static_cast<int>(mine->origin.size());
    both = text + mine->origin;
  }
  native().bcast(lengths, 2, MPI_INT, 0, comm);
  both.resize(static_cast<std::size_t>(lengths[0]) + static_cast<std::size_t>(lengths[1]));
  native().bcast(both.data(), static_cast<int>(both.size()), MPI_CHAR, 0, comm);
  const auto cut = static_cast<std::size_t>(lengths[0]);
  // The first one, too: numbers may have more digits than their text.
  return read(both.substr(0, cut), both.substr(cut));
}

}  // namespace

KnowledgePointer share_knowledge(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  KnowledgePointer mine = known();
  // Most often there is nothing to be found, and everybody has that already.
  if (!mine) mine = rank == 0 ? look() : no_knowledge();
  mine = give(comm, rank, std::move(mine));
  const std::scoped_lock lock(own().mutex);
  if (!own().known) own().known = mine;
  return mine;
}

KnowledgePointer give_rates(MPI_Comm comm, const Knowledge& known, Profile profile,
                            std::string_view origin) {
  struct {
    Rates network;
    NodeRates node;
  } rates{profile.rates, profile.node.value_or(NodeRates{})};
  native().bcast(&rates, sizeof rates, MPI_BYTE, 0, comm);
  profile.rates = rates.network;
  if (profile.node) profile.node = rates.node;
  auto given = std::make_shared<Knowledge>();
  given->profile = std::move(profile);
  given->origin = origin;
  static_assert(std::is_trivially_copyable_v<decltype(rates)>);
  const std::string bytes(reinterpret_cast<const char*>(&rates), sizeof rates);
  given->digest = (known.digest * 31 + std::hash<std::string>{}(bytes + given->origin)) | 2;
  const std::scoped_lock lock(own().mutex);
  return own().known = std::move(given);
}

Profile known_profile() {
  const KnowledgePointer mine = known();
  return mine ? mine->profile : default_profile();
}

}  // namespace tutti::core
