// Asks the MPI, the launcher and the system who shares a node.

#include "api/machine/topology.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <thread>

#include "api/process/native.hpp"
#include "api/process/settings.hpp"
#include "select/environment.hpp"

namespace tutti::core {

namespace {

/// How many of the world's ranks the launcher has put on this node; 0: it does not tell.
int ranks_of_node() {
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"})
    if (const std::string value = in_environment(name); !value.empty())
      return std::atoi(value.c_str());
  return 0;
}

/// The cores that the ranks of `node` may use together. Where each is bound to cores of its own, so
/// are its neighbours elsewhere: all have what the system has.
int cores_of([[maybe_unused]] MPI_Comm node) {
  auto cores = static_cast<int>(std::thread::hardware_concurrency());
#ifndef TUTTI_SIMULATED  // whose nodes have other cores
  cpu_set_t mine, all;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
  int counts[2] = {known, CPU_COUNT(&mine)}, sums[2] = {};
  int ranks = 0;
  PMPI_Comm_size(node, &ranks);
  native().allreduce(counts, sums, 2, MPI_INT, MPI_SUM, node);
  native().allreduce(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, node);
  if (sums[0] == ranks && CPU_COUNT(&all) < sums[1]) cores = CPU_COUNT(&all);
#endif
  return cores;
}

}  // namespace

Node node_of(MPI_Comm comm, int p, Rank rank) {
  MPI_Comm shared = MPI_COMM_NULL;
  int told = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared) ==
                 MPI_SUCCESS &&
             shared != MPI_COMM_NULL;
  int all_told = 0;
  native().allreduce(&told, &all_told, 1, MPI_INT, MPI_MIN, comm);
  Node node{.places = std::vector<int>(p, -1)};
  if (told && all_told) {
    MPI_Group all, neighbours;
    PMPI_Comm_group(comm, &all);
    PMPI_Comm_group(shared, &neighbours);
    PMPI_Group_size(neighbours, &node.size);
    std::vector<int> numbers(node.size), ranks(node.size);
    std::iota(numbers.begin(), numbers.end(), 0);
    PMPI_Group_translate_ranks(neighbours, node.size, numbers.data(), all, ranks.data());
    for (int place = 0; place < node.size; ++place) node.places[ranks[place]] = place;
    PMPI_Group_free(&all);
    PMPI_Group_free(&neighbours);
    node.cores = cores_of(shared);
  }
  if (told) PMPI_Comm_free(&shared);
  node.neighbours = std::max(node.size, ranks_of_node());
  return node;
}

namespace {

/// The communicator's ranks in a world that is pretended to be otherwise.
std::vector<int> pretended(MPI_Comm comm, int p, const std::string& text) {
  int world = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &world);
  const auto topology = parse_topology(text, world);
  MPI_Group mine, all;
  PMPI_Comm_group(comm, &mine);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  std::vector<int> ranks(p), there(p), nodes(p);
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(mine, p, ranks.data(), all, there.data());
  PMPI_Group_free(&mine);
  PMPI_Group_free(&all);
  // A process that was spawned is on a node of its own.
  for (int r = 0; r < p; ++r)
    nodes[r] = there[r] == MPI_UNDEFINED ? world + r : topology->node_of(there[r]);
  return nodes;
}

}  // namespace

std::shared_ptr<const Topology> topology_of(MPI_Comm comm, const std::vector<int>& places,
                                            Rank rank) {
  const auto p = static_cast<int>(places.size());
  std::vector<int> nodes(p);
  // All must see the same, and spawned processes pretend nothing: the first rank tells.
  int pretends = !settings().topology.empty();
  native().bcast(&pretends, 1, MPI_INT, 0, comm);
  if (pretends) {
    if (rank == 0) nodes = pretended(comm, p, settings().topology);
    native().bcast(nodes.data(), p, MPI_INT, 0, comm);
  } else {
    // A node is known by its first rank.
    const auto first = std::find(places.begin(), places.end(), 0);
    const int mine = first == places.end() ? rank : static_cast<int>(first - places.begin());
    native().allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm);
  }
  return std::make_shared<const Topology>(nodes);
}

int fewest_cores(MPI_Comm comm, const Node& node) {
#ifdef TUTTI_SIMULATED
  return 0;  // the simulated nodes have theirs
#endif
  int mine = std::numeric_limits<int>::max();  // alone it does not matter
  // Where ranks outnumber cores, those of this communicator have their share.
  if (node.size > 1 && node.cores > 0)
    mine = node.is_crowded() ? std::max(1, node.cores * node.size / node.neighbours) : node.cores;
  int fewest = mine;
  native().allreduce(&mine, &fewest, 1, MPI_INT, MPI_MIN, comm);
  return fewest == std::numeric_limits<int>::max() ? 0 : fewest;
}

}  // namespace tutti::core
