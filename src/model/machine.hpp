#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "topology/mesh.hpp"

namespace tutti::core {

/// What the ranks of a node take for each other, in seconds.
struct NodeRates {
  double latency = 0;    // from one rank to another, beside the work of both
  double message = 0;    // work for a message, on each side
  double attach = 0;     // more latency for a large one, which its receiver reads at its sender's
  double byte = 0;       // work for a byte copied
  double reading = 1;    // of a byte at its sender's, in copies
  double switching = 0;  // until a core has taken up another rank
  double across = 1;     // what a message to another domain of the node takes, in those within one
  double again = 0;  // work for what one more neighbour gets, too; 0: all read it where it stands
  int cores = 0;     // that the ranks of a node may use; 0: one for each

  bool operator==(const NodeRates&) const = default;
};

/// A node's network interface: what several of its cores get out of it together, in terms of one
/// core. Some gain from more cores, some do not, some lose (Kumar, Mamidala, Panda 2008, Figures 2
/// to 4).
struct Interface {
  std::vector<std::pair<int, double>> curve{{1, 1.0}};  // cores and factor, by cores from 1 on

  /// Linear in between, constant beyond.
  double factor(int cores) const;
};

/// The network's rates for messages from a size on: an MPI changes its protocol there.
struct Step {
  std::size_t from = 0;  // bytes
  double alpha = 0, beta = 0, alpha_uni = 0, beta_uni = 0;
};

/// The schedules of more ranks take too long to generate, and to follow over links.
inline constexpr int most_thorough = 1024;

/// A machine's levels: a network between nodes, nodes, and their domains. gamma is of all.
struct Machine {
  Rates rates;
  NodeRates node;
  Interface interface;
  std::vector<Step> steps{};   // by size, the first from 0 on; none: rates are for all sizes
  std::optional<Mesh> mesh{};  // of all nodes; none: every two are equally near

  /// The links between the nodes of a topology, if they matter and ranks are not too many: the
  /// whole mesh, its nodes in their order; or a line of it, as which any smaller group is taken
  /// (Mitra et al. 1995).
  std::optional<Mesh> mesh_of(const Topology* topology) const;

  /// The network's for a message of so many bytes.
  Rates rates_of(double bytes) const;

  /// The cores that `ranks` of a node share.
  int cores_for(int ranks) const;
  /// One pair of alpha and beta for the parameters' defaults: the node's if all ranks share one,
  /// with the cores they have; else, or if nothing is known of the topology, the network's.
  Rates rates_for(const Topology* topology) const;
};

}  // namespace tutti::core
