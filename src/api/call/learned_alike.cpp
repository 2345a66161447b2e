// Keeps what was learned, and finds out which rank of a communicator has it.

#include "api/call/learned_alike.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/call/operation.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"

namespace tutti::core::learned_alike {

namespace {

struct Noted {
  std::shared_ptr<const Topology> topology;
  int cores;
  LearningKey key;
  std::string text;
};
struct All {
  std::mutex mutex;
  std::vector<Noted> noted;
};
/// Never destroyed: communicators may be used until the very end.
All& all() {
  static auto* const value = new All;
  return *value;
}

std::vector<Noted>::iterator find(const Site& site, const LearningKey& key) {
  return std::find_if(all().noted.begin(), all().noted.end(), [&](const Noted& each) {
    return each.key == key && each.cores == site.cores &&
           (each.topology == site.topology || *each.topology == *site.topology);
  });
}

}  // namespace

void note(const Equipment& equipment, const LearningKey& key, const Learning& learning) {
  const Site& site = equipment.site();
  const std::scoped_lock lock(all().mutex);
  const auto known = find(site, key);
  if (known != all().noted.end())
    known->text = format_learned(learning);
  else
    all().noted.push_back({site.topology, site.cores, key, format_learned(learning)});
}

std::unique_ptr<Learning> ask(const Equipment& equipment, const LearningKey& key) {
  std::string text;
  {
    const std::scoped_lock lock(all().mutex);
    const auto known = find(equipment.site(), key);
    if (known != all().noted.end()) text = known->text;
  }
  int rank = 0;
  PMPI_Comm_rank(equipment.comm(), &rank);
  const auto print =
      text.empty() ? 0 : static_cast<long long>(std::hash<std::string>{}(text) >> 1 | 1);
  long long agreed[3] = {print, -print, text.empty() ? std::numeric_limits<int>::max() : rank};
  const auto require = [](int error) {
    if (error != MPI_SUCCESS) throw std::runtime_error("ranks cannot tell what they have learned");
  };
  require(wait_for([&](MPI_Request* request) {
    return native().iallreduce(MPI_IN_PLACE, agreed, 3, MPI_LONG_LONG, MPI_MIN, equipment.comm(),
                               request);
  }));
  if (agreed[2] == std::numeric_limits<int>::max()) return nullptr;
  if (agreed[0] != -agreed[1]) {
    const int first = static_cast<int>(agreed[2]);
    auto length = static_cast<int>(text.size());
    require(wait_for([&](MPI_Request* request) {
      return native().ibcast(&length, 1, MPI_INT, first, equipment.comm(), request);
    }));
    text.resize(static_cast<std::size_t>(length));
    require(wait_for([&](MPI_Request* request) {
      return native().ibcast(text.data(), length, MPI_CHAR, first, equipment.comm(), request);
    }));
  }
  return std::make_unique<Learning>(
      parse_learned(text, key, settings().learn == Settings::Learn::any));
}

}  // namespace tutti::core::learned_alike
