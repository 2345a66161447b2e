#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "algorithms/rates.hpp"
#include "topology/topology.hpp"

namespace tutti::core {

/// What a parameter is: it says which values are worth a try, and what a generator gets of it.
enum class ParameterKind : std::uint8_t { segment, blocks, radix, leaders, shape, longs, inner };

/// As requests write it.
constexpr std::string_view name_of(ParameterKind kind) {
  constexpr std::string_view names[] = {"segment", "blocks", "radix", "leaders",
                                        "shape",   "long",   "inner"};
  return names[static_cast<std::size_t>(kind)];
}

/// Parameters of an algorithm by name (segment in bytes, radix, blocks). Of `inner`, an algorithm:
/// its place in algorithms_of; `inner.segment` is that algorithm's own segment. Of `shape`, see
/// shape.hpp.
using Parameters = std::map<std::string, std::size_t, std::less<>>;

/// Null if there is none of that kind.
inline const std::size_t* value_of(const Parameters& parameters, ParameterKind kind) {
  const auto found = parameters.find(name_of(kind));
  return found == parameters.end() ? nullptr : &found->second;
}

/// What a claim is about: p ranks, n bytes in all (equal blocks), the resolved parameters.
struct Size {
  int p = 1;
  double n = 0;
  Rank root = 0;
  bool commutative = true;
  Parameters parameters;

  /// ceil(lg p)
  int q() const;
  /// Throws std::invalid_argument if there is none of that kind.
  double parameter(ParameterKind kind) const;
};

/// A claim as a person reads it and as code; a test holds both against the schedules.
template <class Function>
struct Claim {
  std::string_view text;
  Function value;
};

struct Valid {
  /// What combines node by node keeps rank order only where each node's ranks are consecutive.
  enum class Nodes : std::uint8_t { any, consecutive_unless_commutative, consecutive };

  bool power_of_two = false;
  bool commutative = false;
  Nodes nodes = Nodes::any;

  /// Why the problem cannot be solved; empty if it can. Without a topology all ranks share a node.
  std::string unmet(int p, bool commutative_operator, const Topology* topology = nullptr) const;
};

/// Where a closed form equals the replay, given equal blocks and segments that divide the data;
/// elsewhere it is an upper bound, for a few bytes on many ranks a rough one. one_cost: where an
/// exchange costs what a message one way does. topology: there is no closed form, the replay tells.
enum class Exact : std::uint8_t { everywhere, powers_of_two, one_cost, topology };

}  // namespace tutti::core
