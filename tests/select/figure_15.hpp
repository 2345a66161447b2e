#pragma once

#include "algorithms/registry.hpp"

namespace tutti::core {

/// Who wins for one p: several algorithms if they tie.
struct Winner {
  int p = 0;
  std::vector<const Algorithm*> algorithms;
  std::vector<double> seconds;  // of every candidate, in their order
};

/// Figure 15 of Thakur, Rabenseifner, Gropp 2005: allreduce of 32 KB of doubles on a Cray T3E,
/// which of pairwise_ring, rabenseifner and binary_blocks is the fastest for 2 to 140 ranks.
struct Figure15 {
  std::vector<const Algorithm*> candidates;
  std::vector<Winner> ours;             // by replay
  std::vector<const Algorithm*> paper;  // by their measurement, for every p of `ours`
  std::vector<std::size_t>
      differences;   // where ours is another; powers of two are ties and not counted
  int compared = 0;  // all but the ties

  /// Both lists and every difference with its times.
  std::string markdown() const;
};

Figure15 figure_15(const Rates& rates);

/// How many p differ from the paper under other rates, as a table.
std::string figure_15_under_other_rates(const Rates& rates);

}  // namespace tutti::core
