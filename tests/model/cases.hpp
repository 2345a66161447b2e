#pragma once

#include <bit>

#include "model/replay.hpp"
#include "verify/verify.hpp"

namespace tutti::core {

/// Both directions cost the same, as in the papers before section 5 of the 2005 one.
inline constexpr Rates one_cost{
    .alpha = 7e-6, .beta = 3e-9, .gamma = 2e-9, .alpha_uni = 7e-6, .beta_uni = 3e-9};
/// One way is cheaper.
inline constexpr Rates two_costs{
    .alpha = 7e-6, .beta = 3e-9, .gamma = 2e-9, .alpha_uni = 4e-6, .beta_uni = 1.9e-9};

inline bool is_power_of_two(int p) { return std::has_single_bit(static_cast<unsigned>(p)); }

/// n bytes with equal blocks.
inline Problem problem_of(const Algorithm& algorithm, int p, std::size_t n, Rank root = 0) {
  Problem problem = Problem::even(algorithm.collective, p, n);
  problem.root = root;
  return problem;
}

inline double replay_of(const Algorithm& algorithm, const Problem& problem,
                        const Parameters& parameters, const Rates& rates) {
  return replay(schedules_of(problem, algorithm, parameters), problem.element_bytes, rates);
}

/// A size that p, 2p' and six segments divide, so that all blocks are equal.
inline std::size_t divisible(int p) { return 36u * p * std::bit_floor(static_cast<unsigned>(p)); }

/// Parameters that cut `divisible` evenly.
inline Parameters even_parameters(const Algorithm& algorithm, std::size_t n) {
  Parameters given;
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == "blocks") given.emplace("blocks", 6);
    if (parameter.name == "segment") given.emplace("segment", n / 6);
  }
  return given;
}

/// Root 0, and where there is a root also one in the middle and the last.
inline std::vector<Rank> roots_of(const Algorithm& algorithm, int p) {
  if (!has_root(algorithm.collective) || p == 1) return {0};
  return p == 2 ? std::vector<Rank>{0, 1} : std::vector<Rank>{0, p / 2, p - 1};
}

}  // namespace tutti::core
