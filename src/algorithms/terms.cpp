// The words in which rows state their claims.

#include "algorithms/terms.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/pattern/halving.hpp"

namespace tutti::core::terms {

int rounds(double messages) { return static_cast<int>(std::lround(messages)); }

double segments(S s) { return std::max(1.0, std::ceil(s.n / s.parameter(ParameterKind::segment))); }
double blocks(S s) { return std::max(1.0, s.parameter(ParameterKind::blocks)); }
int radix_of(S s) {
  return Radix::of(static_cast<std::size_t>(s.parameter(ParameterKind::radix)), s.p).value;
}
int levels_of(S s) {
  int levels = 0;
  for (long width = 1; width < s.p; width *= radix_of(s)) ++levels;
  return levels;
}

double linear_to_root(S s, R r) { return (s.p - 1) * r.alpha_uni + share(s) * s.n * r.beta_uni; }
double binomial_to_root(S s, R r) { return tree_cost(s.p, s.root, s.n / s.p, r); }
double all_to_each(S s, R r) { return (s.p - 1) * r.alpha + share(s) * s.n * r.beta; }
double in_q_rounds(S s, R r) { return s.q() * r.alpha + share(s) * s.n * r.beta; }
double combine_from_each(S s, R r) {
  return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma);
}
double twice_round(S s, R r) {
  return 2 * (s.p - 1) * r.alpha + share(s) * s.n * (2 * r.beta + r.gamma);
}
int doubling_rounds(S s) { return rounds(doubling_allgather_cost(s.p, 1, count_messages)); }

std::size_t none(const Problem&) { return 0; }
std::size_t vector(const Problem& problem) { return problem.p > 1 ? problem.total() : 0; }
std::size_t if_in_place(const Problem& problem, std::size_t elements) {
  for (const bool flag : problem.in_place)
    if (flag && problem.p > 1) return elements;
  return 0;
}
std::size_t vector_in_place(const Problem& problem) {
  return if_in_place(problem, problem.total());
}
std::size_t largest_block(const Problem& problem) {
  std::size_t most = 0;
  for (Rank i = 0; i < problem.p; ++i) most = std::max(most, problem.block(i));
  return most;
}
std::size_t subtree(const Problem& problem, std::size_t header) {
  std::size_t most = 0;
  for (Rank r = 0; r < problem.p; ++r) {
    const int end = subtree_end(problem.p, problem.root, r);
    if (r == problem.root || end - r == 1) continue;
    std::size_t kept = header * static_cast<std::size_t>(end - r);
    for (Rank i = r + 1; i < end; ++i) kept += problem.block(i);
    most = std::max(most, kept);
  }
  return most;
}
std::size_t blocks_of_subtree(const Problem& problem) { return subtree(problem, 0); }

std::size_t passing(const Problem& problem) {
  int most = 0;
  for (int d = 2; d <= problem.p; ++d) {
    if (problem.p % d != 0) continue;
    const int behind = problem.p / d, root = problem.root / behind;
    for (const Halving& level : halvings(d, root, root))
      most = std::max(most, (level.to - level.from) * behind);
  }
  return most > 1 ? static_cast<std::size_t>(most) * problem.count : 0;
}

}  // namespace tutti::core::terms
