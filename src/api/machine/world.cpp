// Asks the system and the launcher where this process lives, and tells the other ranks.

#include "api/machine/world.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "execute/node/domains.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

/// What a rank tells of where it lives.
struct Home {
  std::uint64_t node = 0;  // equal for processes of one machine
  std::uint32_t cpus = 0;  // equal for those that may run on the same; 0: not known
  std::uint16_t cores = 0, system_cores = 0;
  std::uint32_t neighbours = 0;  // whom the launcher has put there; 0: it does not tell
  DomainsHere domains;
  bool calls_in_turn = false;
  std::uint64_t process = 0;  // a number that no other one has
};

/// FNV-1a: the same in every process.
std::uint64_t mixed(const void* data, std::size_t bytes, std::uint64_t from = 0xcbf29ce484222325) {
  for (std::size_t i = 0; i < bytes; ++i)
    from = (from ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  return from;
}

/// A host's name may come twice; what the kernel has booted as does not.
std::uint64_t node_here() {
  char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  PMPI_Get_processor_name(host, &length);
  std::uint64_t node = mixed(host, static_cast<std::size_t>(length));
#ifndef TUTTI_SIMULATED  // whose nodes are all in this process
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  node = mixed(boot.data(), boot.size(), node);
#endif
  return node;
}

/// How many of the world's ranks the launcher has put on this node; 0: it does not tell.
[[maybe_unused]] int ranks_of_node() {
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"})
    if (const std::string value = in_environment(name); !value.empty())
      return std::atoi(value.c_str());
  return 0;
}

Home home() {
  Home mine;
  mine.node = node_here();
#ifndef TUTTI_SIMULATED  // whose nodes have other cores
  mine.system_cores = static_cast<std::uint16_t>(std::thread::hardware_concurrency());
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) {
    mine.cpus = static_cast<std::uint32_t>(mixed(&cpus, sizeof cpus)) | 1;
    mine.cores = static_cast<std::uint16_t>(CPU_COUNT(&cpus));
    mine.domains = domains_of(cpus);
  }
  mine.neighbours = static_cast<std::uint32_t>(std::max(0, ranks_of_node()));
#endif
  int threads = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&threads);
  mine.calls_in_turn = threads != MPI_THREAD_MULTIPLE;
  std::random_device random;
  mine.process = static_cast<std::uint64_t>(random()) << 32 | random() | 1;
  return mine;
}

/// The cores that the ranks of a node may use together. Where each is bound to cores of its own, so
/// are its neighbours elsewhere: all have what the system has.
int cores_of(const std::vector<const Home*>& ranks) {
  std::set<std::uint32_t> seen;
  int cores = 0, claimed = 0;
  for (const Home* each : ranks) {
    if (each->cpus == 0) return each->system_cores;
    if (seen.insert(each->cpus).second) cores += each->cores;
    claimed += each->cores;
  }
  const int all = ranks.front()->system_cores;
  return cores < claimed ? std::min(cores, all) : all;
}

/// What is known of the world's ranks; null: they have not met.
struct World {
  std::mutex mutex;
  std::shared_ptr<const Homes> homes;
};
World& world() {
  static auto* const value = new World;
  return *value;
}
std::atomic<bool> may_meet_others{true};

std::shared_ptr<const Homes> known_homes() {
  const std::scoped_lock lock(world().mutex);
  return world().homes;
}

}  // namespace

Homes Homes::gather(MPI_Comm comm) {
  int p = 1;
  PMPI_Comm_size(comm, &p);
  const Home mine = home();
  std::vector<Home> all(static_cast<std::size_t>(p));
  native().allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
  Homes homes;
  homes.identity_ = all.front().process;
  homes.call_in_turn_ =
      std::all_of(all.begin(), all.end(), [](const Home& each) { return each.calls_in_turn; });
  std::map<std::uint64_t, int> numbers;
  std::vector<std::vector<const Home*>> ranks_of;
  for (const Home& each : all) {
    const int node = numbers.emplace(each.node, static_cast<int>(numbers.size())).first->second;
    if (node == static_cast<int>(ranks_of.size())) ranks_of.emplace_back();
    ranks_of[static_cast<std::size_t>(node)].push_back(&each);
    homes.node_of_.push_back(node);
  }
  for (const auto& ranks : ranks_of) {
    Node& node = homes.nodes_.emplace_back();
    node.ranks = static_cast<int>(ranks.size());
    for (const Home* each : ranks)
      node.ranks = std::max(node.ranks, static_cast<int>(each->neighbours));
    node.cores = cores_of(ranks);
  }
  std::vector<std::optional<DomainsHere::Level>> levels;
  for (const auto& ranks : ranks_of) {
    std::vector<DomainsHere> domains;
    for (const Home* each : ranks) domains.push_back(each->domains);
    levels.push_back(nearest_level(domains));
  }
  if (std::any_of(levels.begin(), levels.end(), [](const auto& each) { return each.has_value(); }))
    for (std::size_t r = 0; r < all.size(); ++r) {
      const auto level = levels[static_cast<std::size_t>(homes.node_of_[r])];
      homes.domain_of_.push_back(level ? all[r].domains.at[*level] : std::uint16_t{0});
    }
  return homes;
}

Homes Homes::of(const std::vector<int>& ranks) const {
  Homes homes;
  homes.nodes_ = nodes_;
  for (const int rank : ranks) homes.node_of_.push_back(node_of_[static_cast<std::size_t>(rank)]);
  for (const int rank : ranks)
    if (!domain_of_.empty()) homes.domain_of_.push_back(domain_of_[static_cast<std::size_t>(rank)]);
  return homes;
}

Topology Homes::topology() const {
  return Topology(node_of_, {domain_of_.begin(), domain_of_.end()});
}

NodeRanks Homes::neighbours_of(Rank rank) const {
  std::vector<Rank> ranks;
  for (std::size_t r = 0; r < node_of_.size(); ++r)
    if (node_of_[r] == node_of_[static_cast<std::size_t>(rank)])
      ranks.push_back(static_cast<Rank>(r));
  return NodeRanks(std::move(ranks));
}

int Homes::fewest_cores() const {
  std::vector<int> sizes(nodes_.size());
  for (const int node : node_of_) ++sizes[static_cast<std::size_t>(node)];
  int fewest = std::numeric_limits<int>::max();  // alone it does not matter
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Node& node = nodes_[i];
    if (sizes[i] < 2 || node.cores <= 0) continue;
    // Where ranks outnumber cores, those of this communicator have their share.
    const int theirs =
        node.is_crowded() ? std::max(1, node.cores * sizes[i] / node.ranks) : node.cores;
    fewest = std::min(fewest, theirs);
  }
  return fewest == std::numeric_limits<int>::max() ? 0 : fewest;
}

void meet_world() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto homes = std::make_shared<const Homes>(Homes::gather(MPI_COMM_WORLD));
    const std::scoped_lock lock(world().mutex);
    world().homes = std::move(homes);
  });
}

namespace {

/// An MPI may look through all of the world for each rank.
std::vector<int> looked_up(MPI_Comm comm, int p) {
  std::vector<int> numbers(static_cast<std::size_t>(p)), ranks(numbers.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  MPI_Group mine, all;
  PMPI_Comm_group(comm, &mine);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(mine, p, numbers.data(), all, ranks.data());
  PMPI_Group_free(&mine);
  PMPI_Group_free(&all);
  if (std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end()) ranks.clear();
  return ranks;
}

/// Each rank tells its world, and what it is there.
std::vector<int> told(MPI_Comm comm, int p, std::uint64_t world) {
  struct Place {
    std::uint64_t world;
    std::int64_t rank;
  };
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Place mine{world, rank};
  std::vector<Place> all(static_cast<std::size_t>(p));
  native().allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm);
  std::vector<int> ranks;
  for (const Place& each : all) {
    if (each.world != world) return {};
    ranks.push_back(static_cast<int>(each.rank));
  }
  return ranks;
}

/// Of more ranks it takes longer to look them up.
constexpr int most_looked_up = 64;

}  // namespace

std::vector<int> in_the_world(MPI_Comm comm) {
  int p = 1;
  PMPI_Comm_size(comm, &p);
  return looked_up(comm, p);
}

std::vector<int> told_in_the_world(MPI_Comm comm) {
  int p = 1;
  PMPI_Comm_size(comm, &p);
  if (p <= most_looked_up) return looked_up(comm, p);
  const std::shared_ptr<const Homes> known = known_homes();
  std::vector<int> ranks = told(comm, p, known ? known->identity() : 0);
  return known ? ranks : looked_up(comm, p);
}

bool has_world_met() { return known_homes() != nullptr; }

bool calls_world_in_turn() {
  const std::shared_ptr<const Homes> known = known_homes();
  return known != nullptr && known->call_in_turn();
}

void meet_others(bool may_be) { may_meet_others.store(may_be, std::memory_order_relaxed); }

bool is_one_road(MPI_Comm comm) {
  // To look each rank up takes long in a large world.
  const bool may_be_others = may_meet_others.load(std::memory_order_relaxed);
  if (has_world_met() && (!may_be_others || !in_the_world(comm).empty())) return true;
  const auto road = static_cast<long long>(settings().road >> 1);
  const long long mine[2] = {road, -road};
  long long least[2] = {};
  native().allreduce(mine, least, 2, MPI_LONG_LONG, MPI_MIN, comm);
  return least[0] == -least[1];
}

Homes homes_of(MPI_Comm comm, const std::vector<int>& in_the_world) {
  const std::shared_ptr<const Homes> known = known_homes();
  return known == nullptr || in_the_world.empty() ? Homes::gather(comm) : known->of(in_the_world);
}

std::shared_ptr<const Topology> topology_of(const Homes& homes,
                                            const std::vector<int>& in_the_world) {
  // Spawned processes pretend nothing, so that where they are among others nobody does.
  if (settings().topology.empty() || in_the_world.empty())
    return std::make_shared<const Topology>(homes.topology());
  int p = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  return std::make_shared<const Topology>(parse_topology(settings().topology, p)->of(in_the_world));
}

}  // namespace tutti::core
