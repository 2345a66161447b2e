#pragma once

#include <optional>
#include <span>

#include "model/estimate.hpp"

namespace tutti::core {

/// What an algorithm would take with the model's default parameters, by its closed form or, where
/// ranks share nodes, by estimate.
struct Prediction {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
  double seconds = 0;
  std::string unmet;  // why it cannot run, or is out of the question; empty if neither

  bool valid() const { return unmet.empty(); }
};

/// All flat algorithms of a collective for p ranks and n bytes (in all; equal blocks): the fastest
/// first, in the order of the table where equal; at the end those that cannot run. Costs
/// microseconds for any p, more only where it has a hundred divisors. Throws std::invalid_argument
/// if p or the root makes no sense.
std::vector<Prediction> predict(Collective collective, int p, std::size_t n, const Rates& rates,
                                bool commutative = true, Rank root = 0);

/// The same for a problem on nodes. Where its topology has one rank on each node as above, and
/// without a topology, too: closed forms of the network.
/// Elsewhere every algorithm is estimated, compositions over nodes included if there is more than
/// one node, with that number of leaders which is best. Where nodes are joined as a mesh, whatever
/// may come near the fastest is followed over the links, hybrids in the mesh's own shape, too; the
/// times of all others are as if no two messages met. Without data nothing takes time. `n`: the
/// bytes, where closed forms do; none: the problem's. With less care, and of more than
/// `most_thorough` ranks, estimates are quick, and algorithms that cannot come near the fastest are
/// out of the question. Links are always followed with all care.
std::vector<Prediction> predict(const Problem& problem, const Machine& machine,
                                std::optional<std::size_t> n = {}, Care care = Care::thorough);

/// A composition with a leader for each domain of a node, if domains are known: their leaders as
/// one group, and on several nodes with leaders of their own, which makes three levels. Empty if it
/// has no leaders to choose.
std::vector<Parameters> by_domain(const Algorithm& algorithm, const Problem& problem);

/// What the closed form says of n bytes. It is for equal blocks; where one has more than twice the
/// mean it is bounded by the largest, and what cuts blocks into pieces keeps the line full however
/// they differ.
double closed_form(const Problem& problem, double n, const Algorithm& algorithm,
                   const Parameters& parameters, const Rates& rates);

/// A problem of n bytes with equal blocks; no list of counts, which would cost time and memory for
/// large p.
Problem even_problem(Collective collective, int p, std::size_t n, bool commutative = true,
                     Rank root = 0);

/// Whether MPI requires the bytes to be equal on all ranks, so that a choice may depend on them.
/// Where it does not, the choice is made for `guessed_bytes` in all.
bool has_common_size(Collective collective);
std::size_t guessed_bytes(Collective collective, int p);

/// Whether ranks share nodes, which closed forms do not know.
bool has_levels(const Topology* topology);
/// Whether messages are followed over the links of a mesh.
bool follows_links(const Topology* topology, const Machine& machine);
/// Whether closed forms do not do: ranks share nodes, or nodes links.
bool is_estimated(const Topology* topology, const Machine& machine);

/// The dimensions of a mesh as a hybrid's shape; those of one rank are none.
std::size_t shape_of(const Mesh& mesh);

/// The fastest algorithm for every p and size: Figure 14 of the 2005 paper.
struct DecisionMap {
  struct Cell {
    const Algorithm* algorithm = nullptr;  // the winner
    double seconds = 0;
    bool tie = false;  // another takes as long
  };
  Collective collective;
  std::vector<int> p;
  std::vector<std::size_t> sizes;
  std::vector<Cell> cells;  // a row of sizes for each p

  const Cell& at(std::size_t p_index, std::size_t size_index) const {
    return cells[p_index * sizes.size() + size_index];
  }
  /// The algorithms that win somewhere, in the order of the table.
  std::vector<const Algorithm*> winners() const;
};

DecisionMap decision_map(Collective collective, std::span<const int> p,
                         std::span<const std::size_t> sizes, const Rates& rates,
                         bool commutative = true);

}  // namespace tutti::core
