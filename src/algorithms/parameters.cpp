// Parameters that several algorithms have, with the model's defaults.

#include "algorithms/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/cost/cost.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

namespace {

std::size_t clamp_blocks(double k, double elements) {
  const double most = std::min(static_cast<double>(most_pieces), elements);
  return static_cast<std::size_t>(std::lround(std::clamp(k, 1.0, std::max(1.0, most))));
}
/// (stages + k) (alpha + n/k beta) is least at k = sqrt(stages n beta / alpha).
double best_blocks(double stages, double n, double alpha, double beta) {
  return stages <= 0 || alpha <= 0 ? 1.0 : std::sqrt(stages * n * beta / alpha);
}
/// Messages to the parts of a range overlap, but for posting and their bytes.
std::size_t best_tree_radix(const Problem& problem, const Rates& r) {
  constexpr std::size_t fewest = 3, most = 16;  // 2 is the binomial tree
  std::size_t best = fewest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t radix = fewest; radix <= most && r.post > 0; ++radix) {
    double levels = 0;
    for (std::size_t width = 1; width < static_cast<std::size_t>(problem.p); width *= radix)
      ++levels;
    const double parts = static_cast<double>(radix) - 1;
    // Blocks leave the root, or come to it, as often whatever the radix is.
    const double bytes =
        problem.collective == Collective::scatter || problem.collective == Collective::gather
            ? 0
            : parts * bytes_of(problem);
    const double seconds =
        levels * (r.alpha_uni + (parts - 1) * std::min(r.post, r.alpha_uni) +
                  bytes * (r.beta_uni + (reduces(problem.collective) ? r.gamma : 0)));
    if (seconds < least * (1 - 1e-9)) best = radix, least = seconds;
  }
  return best;
}
std::size_t default_longs(const Problem& problem, const Rates& r, const Parameters& known) {
  return best_longs(problem, r, *value_of(known, ParameterKind::shape));
}
constexpr std::string_view longs_meaning =
    "how many dimensions, from the first on, share out long vectors";

}  // namespace

std::size_t chain_segment(const Problem& problem, double alpha, double beta) {
  const double n = bytes_of(problem);
  const std::size_t k = clamp_blocks(best_blocks(problem.p - 2, n, alpha, beta),
                                     static_cast<double>(problem.total()));
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(n / static_cast<double>(k))));
}

std::size_t circulant_blocks(const Problem& problem, double alpha, double beta) {
  return clamp_blocks(best_blocks(ceil_log2(problem.p) - 1, bytes_of(problem), alpha, beta),
                      static_cast<double>(problem.total()));
}

std::size_t cut_to(const Problem& problem, std::size_t segment) {
  const std::size_t bytes = problem.total() * problem.element_bytes;
  return bytes / segment + (bytes % segment != 0);
}
std::size_t cut_into(const Problem&, std::size_t blocks) { return blocks; }
bool equal_blocks(const Problem& problem) {
  return std::all_of(problem.counts.begin(), problem.counts.end(),
                     [&](std::size_t count) { return count == problem.counts[0]; });
}

constinit const Parameter reduce_segment{
    ParameterKind::segment,
    "bytes per segment",
    1,
    "sqrt(n alpha / ((p-2) (beta+gamma))); all of it at p = 2",
    [](const Problem& problem, const Rates& r, const Parameters&) {
      return chain_segment(problem, r.alpha, r.beta + r.gamma);
    },
    cut_to};

constinit const Parameter tree_radix{
    ParameterKind::radix,
    "parts of a range",
    2,
    "3; where the rates tell how messages overlap, up to 16: the least time",
    [](const Problem& problem, const Rates& r, const Parameters&) {
      return best_tree_radix(problem, r);
    },
    nullptr};

constinit const Parameter shape_parameter{
    .kind = ParameterKind::shape,
    .meaning = "the mesh of ranks, as 16x32; its last dimension is the fastest",
    .default_text = "the fastest by the model; beyond 2^16 ranks one dimension",
    .default_value =
        [](const Problem& problem, const Rates& r, const Parameters& known) {
          const std::size_t* const longs = value_of(known, ParameterKind::longs);
          return longs == nullptr ? best_shape(problem, r) : best_shape(problem, r, *longs);
        },
    .parse = parse_shape,
    .format = format_shape,
    .unmet = [](const Problem& problem, std::size_t value) -> std::string {
      std::size_t ranks = 1;
      for (const int dimension : dimensions_of(value)) ranks *= static_cast<std::size_t>(dimension);
      if (ranks == static_cast<std::size_t>(problem.p)) return {};
      return fmt::format("needs {} ranks for shape={}, not {}", ranks, format_shape(value),
                         problem.p);
    }};

constinit const Parameter long_parameter{.kind = ParameterKind::longs,
                                         .meaning = longs_meaning,
                                         .least = 0,
                                         .default_text = "the fastest by the model",
                                         .default_value = default_longs};
constinit const Parameter reduction_long_parameter{
    .kind = ParameterKind::longs,
    .meaning = longs_meaning,
    .least = 0,
    .default_text = "the fastest by the model; 0 if the operator does not commute",
    .default_value = default_longs,
    .unmet = [](const Problem& problem, std::size_t value) -> std::string {
      return value == 0 || problem.commutative ? "" : "needs a commutative operator, unless long=0";
    }};

}  // namespace tutti::core
