#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/registry.hpp"

namespace tutti::core {

/// A sum of terms in p and q = ceil(lg p): the exponents of both, and the factor.
using Coefficient = std::map<std::pair<int, int>, double>;

/// A closed form that is a line in n: what stands before each of the papers' letters.
struct LinearCost {
  using Terms = std::map<std::string, Coefficient, std::less<>>;
  Terms fixed, per_byte;

  double seconds(int p, double n, const Rates& rates) const;
};

/// Reads a claim such as `q alpha + (p-1)/p n (beta + gamma) (2^k); else ...`, as far as the first
/// semicolon. None if it is no such line.
std::optional<LinearCost> linear_cost(std::string_view claim);

/// The same in numbers, for one p and parameters as they are. None if the time is not the sum of
/// what each letter gives alone.
std::optional<LinearCost> linear_cost(const Algorithm& algorithm, const Size& size,
                                      const Rates& rates);

/// The size at which both take as long.
struct Cutoff {
  std::string text;  // `(p - 1 - lg p) alpha / ((lg p - 2 (p-1)/p) (beta + gamma))`
  double bytes = 0;
};

/// None if there is no such size. lg p where p is a power of two, else q.
std::optional<Cutoff> cutoff(const LinearCost& a, const LinearCost& b, int p, const Rates& rates);

}  // namespace tutti::core
