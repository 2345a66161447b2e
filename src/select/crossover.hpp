#pragma once

#include <span>

#include "algorithms/registry.hpp"

namespace tutti::core {

/// From a size on an algorithm is the fastest, until the next is.
struct Reign {
  std::size_t from = 1;  // bytes
  const Algorithm* algorithm = nullptr;
  /// For `from`, in the papers' letters; none for the first, and where neither time is a sum of
  /// theirs or parameters change just there.
  std::string formula{};
  /// Both with their parameters there, if the formula holds numbers for this p; empty: it is a
  /// formula in p.
  std::string with{};
};

/// Up to this size.
inline constexpr std::size_t largest_crossover = std::size_t{1} << 30;

/// The sizes at which the fastest of a collective's flat algorithms changes for p ranks, by closed
/// forms with the model's parameters; `among` only these, if there are any. A formula is given
/// only if it gives the size found. Throws std::invalid_argument if none can run.
std::vector<Reign> crossovers(Collective collective, int p, const Rates& rates,
                              bool commutative = true,
                              std::span<const Algorithm* const> among = {});

}  // namespace tutti::core
