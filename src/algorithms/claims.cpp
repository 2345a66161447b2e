// What claims are about: sizes, and where an algorithm is valid.

#include "algorithms/claims.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

int Size::q() const { return ceil_log2(p); }

double Size::parameter(ParameterKind kind) const {
  const std::size_t* const value = value_of(parameters, kind);
  if (value == nullptr)
    throw std::invalid_argument(
        fmt::format("no parameter '{}'; resolve the parameters first", name_of(kind)));
  return static_cast<double>(*value);
}

std::string Valid::unmet(int p, bool commutative_operator, const Topology* topology) const {
  if (power_of_two && !is_power_of_two(p))
    return fmt::format("needs a power of two of ranks, not {}", p);
  if (commutative && !commutative_operator) return "needs a commutative operator";
  if (nodes == Nodes::any || topology == nullptr || topology->is_contiguous()) return {};
  if (nodes == Nodes::consecutive) return "needs nodes that hold consecutive ranks";
  if (!commutative_operator)
    return "needs nodes that hold consecutive ranks, or a commutative operator";
  return {};
}

}  // namespace tutti::core
