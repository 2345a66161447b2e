#pragma once

#include <span>

#include "algorithms/registry.hpp"

namespace tutti {

/// What an algorithm would take, by its closed form with the model's default parameters.
struct Prediction {
  const Algorithm* algorithm = nullptr;
  Parameters parameters;
  double seconds = 0;
  std::string unmet;  // why it cannot run; empty if it can

  bool valid() const { return unmet.empty(); }
};

/// All flat algorithms of a collective for p ranks and n bytes (in all; equal blocks): the fastest
/// first, in the order of the table where equal; at the end those that cannot run. Costs
/// microseconds for any p. Throws std::invalid_argument if p or the root makes no sense.
std::vector<Prediction> predict(Collective collective, int p, std::size_t n, const Rates& rates,
                                bool commutative = true, Rank root = 0);

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

}  // namespace tutti
