#pragma once

#include <string_view>
#include <vector>

#include "schedule/problem.hpp"

namespace tutti::core {

/// The data distributions of Träff et al. 2008, section 3, scaled to a total.
enum class Distribution : std::uint8_t {
  regular,
  broadcast,
  spike,
  half_full,
  decreasing,
  geometric
};
inline constexpr Distribution all_distributions[] = {
    Distribution::regular,   Distribution::broadcast,  Distribution::spike,
    Distribution::half_full, Distribution::decreasing, Distribution::geometric};

std::string_view name_of(Distribution distribution);
/// Throws std::invalid_argument, with a suggestion.
Distribution parse_distribution(std::string_view name);

/// The p block sizes; they add up to `total`.
std::vector<std::size_t> distribute(Distribution distribution, int p, std::size_t total);

/// A problem of `total` elements with that distribution, where the collective is irregular. In
/// alltoallv and w every rank sends, and receives, the same sizes, the first of them to, and from,
/// its neighbour.
Problem distributed(Collective collective, Distribution distribution, int p, std::size_t total);

}  // namespace tutti::core
