#include "select/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tutti {

namespace {

/// Times that differ only by rounding are equal.
bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

/// The problem that default parameters are drawn from. Equal blocks need no list of counts, which
/// would cost time and memory for large p.
Problem problem_of(Collective collective, int p, std::size_t n, bool commutative, Rank root) {
  Problem problem{.collective = collective, .p = p, .root = root, .commutative = commutative};
  const auto ranks = static_cast<std::size_t>(p);
  problem.element_bytes = usual_element_bytes(collective);
  const auto whole = [](std::size_t a, std::size_t b) { return a / b + (a % b != 0); };
  const std::size_t elements = whole(n, problem.element_bytes);
  problem.count = is_vector(collective) ? elements : whole(elements, ranks);
  return problem;
}

}  // namespace

std::vector<Prediction> predict(Collective collective, int p, std::size_t n, const Rates& rates,
                                bool commutative, Rank root) {
  if (p < 1)
    throw std::invalid_argument(fmt::format("p = {}, but there must be at least one rank", p));
  if (root < 0 || root >= p)
    throw std::invalid_argument(fmt::format("root {} is not one of the ranks 0..{}", root, p - 1));
  const Problem problem = problem_of(collective, p, n, commutative, root);
  std::vector<Prediction> all;
  for (const Algorithm* algorithm : algorithms_of(collective)) {
    if (algorithm->node_aware) continue;  // nothing is known of the nodes here
    Prediction prediction{algorithm,
                          {},
                          std::numeric_limits<double>::infinity(),
                          algorithm->valid.unmet(p, commutative)};
    if (prediction.valid()) {
      prediction.parameters = algorithm->resolve(problem, rates);
      prediction.seconds = algorithm->seconds(
          {p, static_cast<double>(n), root, commutative, prediction.parameters}, rates);
    }
    all.push_back(std::move(prediction));
  }
  std::stable_sort(all.begin(), all.end(), [](const Prediction& a, const Prediction& b) {
    return a.valid() != b.valid() ? a.valid()
                                  : a.seconds < b.seconds && !same(a.seconds, b.seconds);
  });
  return all;
}

std::vector<const Algorithm*> DecisionMap::winners() const {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms_of(collective))
    if (std::any_of(cells.begin(), cells.end(),
                    [&](const Cell& cell) { return cell.algorithm == algorithm; }))
      found.push_back(algorithm);
  return found;
}

DecisionMap decision_map(Collective collective, std::span<const int> p,
                         std::span<const std::size_t> sizes, const Rates& rates, bool commutative) {
  DecisionMap map{collective, {p.begin(), p.end()}, {sizes.begin(), sizes.end()}, {}};
  for (const int ranks : p)
    for (const std::size_t size : sizes) {
      const std::vector<Prediction> all = predict(collective, ranks, size, rates, commutative);
      const bool tie = all.size() > 1 && all[1].valid() && same(all[0].seconds, all[1].seconds);
      map.cells.push_back({all[0].algorithm, all[0].seconds, tie});
    }
  return map;
}

}  // namespace tutti
