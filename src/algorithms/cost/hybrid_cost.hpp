#pragma once

#include <optional>
#include <vector>

#include "algorithms/claims.hpp"
#include "schedule/problem.hpp"

namespace tutti::core {

// What the hybrids cost, and which of them is the fastest.

/// Along a long dimension of d places, where the root stands at place `root`: v bytes are shared
/// out, or collected, or both.
double long_stage(Collective collective, int d, int root, double v, const Rates& rates);
/// Along another dimension, of which v bytes are shared out; `whole` bytes when the first of these
/// dimensions began, which trees send and combine along all of them.
double short_stage(Collective collective, int d, int root, double v, double whole,
                   const Rates& rates);

/// The closed form of a collective's hybrid over the dimensions given, `longs` of them long.
double hybrid_cost(Collective collective, Rank root, double n, const std::vector<int>& dimensions,
                   int longs, const Rates& rates);

/// The same of the shape and the long dimensions that the parameters tell, and its rounds.
double hybrid_seconds(Collective collective, const Size& size, const Rates& rates);
int hybrid_rounds(Collective collective, const Size& size);

/// Beyond so many ranks the model takes one dimension: finding more would take too long.
inline constexpr int most_factored = 1 << 16;

/// The fastest shape; with `longs`, the fastest with that many long dimensions, or with all of them
/// long. The operator must commute unless the vector is short everywhere.
std::size_t best_shape(const Problem& problem, const Rates& rates,
                       std::optional<std::size_t> longs = std::nullopt);
/// The best number of long dimensions of a shape.
std::size_t best_longs(const Problem& problem, const Rates& rates, std::size_t shape);

}  // namespace tutti::core
