// The verb tutti topology: where ranks live, as the MPI and hwloc see it, and how Tutti carries
// messages there.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tutti/tutti.h>

#ifndef TUTTI_SIMULATED
#include <hwloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/process/mpi_name.hpp"
#include "api/process/tuning.hpp"
#include "cli/commands.hpp"
#include "cli/mpi/verbs.hpp"
#include "select/environment.hpp"
#include "timing/provenance.hpp"
#include "timing/trial.hpp"
#include "topology/topology.hpp"
#include "topology/transport.hpp"

namespace tutti::core::cli {
namespace {

using Json = nlohmann::ordered_json;

#ifdef TUTTI_SIMULATED

/// Simulated hosts have no cores.
Json placement() { return Json::object(); }

#else

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t set) const { hwloc_bitmap_free(set); }
};
using Machine = std::unique_ptr<hwloc_topology, Destroy>;
using CpuSet = std::unique_ptr<hwloc_bitmap_s, Destroy>;

/// The numbers of the objects of a type that have some of these cpus.
std::vector<int> numbers_of(hwloc_topology_t machine, hwloc_obj_type_t type,
                            hwloc_const_cpuset_t cpus) {
  std::vector<int> numbers;
  for (hwloc_obj_t each = nullptr;
       (each = hwloc_get_next_obj_by_type(machine, type, each)) != nullptr;)
    if (hwloc_bitmap_intersects(each->cpuset, cpus))
      numbers.push_back(static_cast<int>(each->logical_index));
  return numbers;
}

/// Where this process may run; empty if hwloc cannot tell.
Json placement() {
  hwloc_topology_t loaded = nullptr;
  if (hwloc_topology_init(&loaded) != 0) return Json::object();
  const Machine machine(loaded);
  if (hwloc_topology_load(loaded) != 0) return Json::object();
  const CpuSet mine(hwloc_bitmap_alloc());
  const hwloc_const_cpuset_t all = hwloc_topology_get_allowed_cpuset(loaded);
  if (hwloc_get_cpubind(loaded, mine.get(), HWLOC_CPUBIND_PROCESS) != 0)
    hwloc_bitmap_copy(mine.get(), all);
  hwloc_bitmap_and(mine.get(), mine.get(), all);
  std::vector<int> cpus;
  for (int cpu = -1; (cpu = hwloc_bitmap_next(mine.get(), cpu)) != -1;) cpus.push_back(cpu);
  // Of the last level there is.
  std::vector<int> caches;
  int level = 5;
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE,
                                      HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}) {
    caches = numbers_of(loaded, type, mine.get());
    if (!caches.empty()) break;
    --level;
  }
  return {{"packages", numbers_of(loaded, HWLOC_OBJ_PACKAGE, mine.get())},
          {"numa_domains", numbers_of(loaded, HWLOC_OBJ_NUMANODE, mine.get())},
          {"cache_level", level},
          {"caches", caches},
          {"cores", numbers_of(loaded, HWLOC_OBJ_CORE, mine.get())},
          {"cpus", cpus},
          {"bound", hwloc_bitmap_isequal(mine.get(), all) == 0},
          {"cpus_of_node", hwloc_bitmap_weight(all)}};
}

#endif

/// The first rank of this one's node, as the MPI sees it.
int first_of_node(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  if (node == MPI_COMM_NULL) return rank;
  int first = rank;
  PMPI_Bcast(&first, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  return first;
}

/// Ranks that say the same, in the order of the first of each.
std::vector<std::pair<Json, std::vector<int>>> alike(const Json& ranks) {
  std::vector<std::pair<Json, std::vector<int>>> groups;
  std::map<std::string, std::size_t> known;
  for (Json each : ranks) {
    const int rank = each["rank"];
    each.erase("rank");
    const auto [place, is_new] = known.emplace(each.dump(), groups.size());
    if (is_new) groups.emplace_back(each, std::vector<int>{});
    groups[place->second].second.push_back(rank);
  }
  return groups;
}

std::string list(const Json& of, const char* key) {
  if (!of.contains(key)) return "?";
  const auto numbers = of[key].get<std::vector<int>>();
  return numbers.empty() ? "-" : ranges(numbers);
}

std::string table(const Json& seen) {
  std::vector<std::vector<std::string>> rows{
      {"node", "host", "ranks", "package", "NUMA", "cache", "cores", "cpus", "bound"}};
  std::string crowded;
  for (const Json& node : seen["nodes"]) {
    for (const auto& [where, ranks] : alike(node["ranks"]))
      rows.push_back(
          {fmt::format("{}", node["node"].get<int>()), node["host"].get<std::string>(),
           ranges(ranks), list(where, "packages"), list(where, "numa_domains"),
           where.contains("caches")
               ? fmt::format("L{} {}", where["cache_level"].get<int>(), list(where, "caches"))
               : "?",
           list(where, "cores"), list(where, "cpus"),
           !where.contains("bound") ? "?"
           : where["bound"]         ? "yes"
                                    : "no"});
    if (node["outnumbered"])
      crowded +=
          fmt::format("node {} has more ranks than cpus: {} on {}\n", node["node"].get<int>(),
                      node["ranks"].size(), node["cpus"].get<int>());
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto nodes = seen["nodes"].size();
  std::string text =
      fmt::format("{} rank{} on {} node{}, {}; topology {}\n\n", seen["ranks"].get<int>(),
                  seen["ranks"] == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s",
                  seen["mpi"].get<std::string>(), seen["topology"].get<std::string>());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      text += fmt::format("{:<{}}", row[i], widths[i] + 2);
    text += row.back() + "\n";
  }
  const Json& within = seen["within_a_node"];
  const std::string way = within["way"], why = within["why"];
  const auto shared = [&] {
    const double reading = within["reading"];
    return fmt::format(
        "through shared memory, large messages {} where they stand: a byte takes "
        "{:.1f} copies",
        Transport::is_cheap(reading) ? "read" : "seldom read", reading);
  };
  const std::string meaning = way == "shared"   ? shared()
                              : way == "attach" ? "through shared memory, large messages read "
                                                  "where they stand"
                              : way == "copy" ? "through shared memory, no rank reads another's own"
                                              : "by the MPI";
  text += fmt::format("\nwithin a node: {} ({}){}{}\n", way, meaning, why.empty() ? "" : ": " + why,
                      within["sleeps"] ? "; who waits sleeps" : "");
  text += crowded;
  if (!seen["pretended"].is_null())
    text += fmt::format("TUTTI_TOPOLOGY pretends {} to algorithms that know nodes\n",
                        seen["pretended"].get<std::string>());
  return text;
}

}  // namespace

int run_topology(const TopologyOptions& options) {
  tutti_tune_settings({});
  int rank = 0, p = 0, length = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &p);
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  PMPI_Get_processor_name(host, &length);
  Json mine = placement();
  mine["host"] = host;
  mine["first"] = first_of_node(MPI_COMM_WORLD);
  std::vector<Json> ranks;
  for (const std::string& text : gather_texts(mine.dump(), MPI_COMM_WORLD))
    ranks.push_back(Json::parse(text));
  std::vector<int> seen_nodes(p), seen_domains(p);
  tutti_node_transport transport{};
  if (tutti_topology(MPI_COMM_WORLD, seen_nodes.data(), seen_domains.data(), &transport) !=
      MPI_SUCCESS)
    throw std::runtime_error("the library does not know the world");
  if (rank != 0) return fine;

  std::vector<int> firsts;
  firsts.reserve(ranks.size());
  for (const Json& each : ranks) firsts.push_back(each["first"]);
  const bool pretends = !value_of(Variable::topology).empty();
  const Topology seen(seen_nodes, seen_domains);
  const Topology real = pretends ? Topology(firsts) : Topology(firsts, seen_domains);
  Json nodes = Json::array();
  for (int node = 0; node < real.nodes(); ++node) {
    Json there = Json::array();
    const Json& first = ranks[real.ranks_of(node).front()];
    for (const int r : real.ranks_of(node)) {
      Json each = {{"rank", r}};
      each.update(ranks[r]);
      for (const char* key : {"host", "first", "cpus_of_node"}) each.erase(key);
      there.push_back(each);
    }
    const Json cpus = first.value("cpus_of_node", Json());
    nodes.push_back({{"node", node},
                     {"host", first["host"]},
                     {"cpus", cpus},
                     {"outnumbered", !cpus.is_null() && real.size_of(node) > cpus.get<int>()},
                     {"ranks", there}});
  }
  const Json result = {{"program", "tutti topology"},
                       {"version", TUTTI_VERSION},
                       {"mpi", mpi_name()},
                       {"ranks", p},
                       {"topology", real.describe()},
                       {"pretended", pretends ? Json(seen.describe()) : Json()},
                       {"within_a_node",
                        {{"way", transport.way},
                         {"why", transport.why},
                         {"sleeps", transport.sleeps != 0},
                         {"reading", transport.reading}}},
                       {"nodes", nodes}};
  std::cout << (options.json ? result.dump(1) + "\n" : table(result));
  if (!std::cout.flush())
    throw std::runtime_error("cannot write to standard output: is the disk full?");
  return fine;
}

}  // namespace tutti::core::cli
