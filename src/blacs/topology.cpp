// Translates the topologies of BLACS into requests for algorithms.

#include "blacs/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "tutti/tutti.h"

namespace tutti::core::blacs {

namespace {

int number(const std::string& algorithm) {
  int result = 0;
  tutti_algorithm(algorithm.c_str(), &result);
  return result;
}

/// A tree where each process has up to `branches` children at each step: with one it is binomial.
int tree(const std::string& collective, int branches, int p) {
  static std::map<std::pair<std::string, int>, int> known;
  const int radix = std::clamp(branches, 1, std::max(1, p - 1)) + 1;
  int& found = known[{collective, radix}];
  if (found == 0)
    found = number(radix == 2 ? collective + "/binomial"
                              : collective + "/knomial:radix=" + std::to_string(radix));
  return found;
}

int linear_broadcast() {
  static const int result = number("bcast/linear");
  return result;
}
int linear_reduce() {
  static const int result = number("reduce/linear");
  return result;
}
int chain_broadcast() {
  static const int result = number("bcast/chain");
  return result;
}
int chain_reduce() {
  static const int result = number("reduce/chain");
  return result;
}

CombineWay combine_by_tree(int p, int destination, int branches) {
  static const int reduce_bcast = number("allreduce/reduce_bcast");
  if (destination == -1 && branches == 1) return {.allreduce = reduce_bcast};
  return {
      .one_step = false, .reduce = tree("reduce", branches, p), .broadcast = tree("bcast", 1, p)};
}

/// So many rings end at the destination, the direction by the sign; with as many as there are
/// others each sends to it.
std::optional<CombineWay> combine_by_rings(int p, int destination, int rings) {
  if (std::abs(rings) >= p - 1)
    return CombineWay{
        .one_step = false, .reduce = linear_reduce(), .broadcast = linear_broadcast()};
  // Tutti's chain runs up to the last process, down to the first.
  const bool up = rings == 1 && destination == p - 1;
  const bool down = rings == -1 && destination <= 0;
  if (!up && !down) return std::nullopt;
  return CombineWay{.one_step = false, .reduce = chain_reduce(), .broadcast = chain_broadcast()};
}

}  // namespace

std::optional<BroadcastWay> broadcast_way(char topology, int p, Shape shape) {
  int rings = 0;
  switch (topology) {
    case ' ': return BroadcastWay{};
    case 'h': return BroadcastWay{tree("bcast", 1, p)};
    case 't': return BroadcastWay{tree("bcast", shape.branches, p)};
    case 'f': return BroadcastWay{linear_broadcast()};
    case 'i': rings = 1; break;
    case 'd': rings = -1; break;
    case 's':  // both ways round
      if (p > 3) return std::nullopt;
      return BroadcastWay{linear_broadcast()};
    case 'm': rings = shape.rings; break;
    default:
      if (topology < '1' || topology > '9') return std::nullopt;
      return BroadcastWay{tree("bcast", topology - '0', p)};
  }
  if (std::abs(rings) >= p - 1) return BroadcastWay{linear_broadcast()};
  if (rings == 1) return BroadcastWay{chain_broadcast()};
  return std::nullopt;
}

std::optional<CombineWay> combine_way(char topology, int p, int destination, Shape shape) {
  static const int doubling = number("allreduce/recursive_doubling");
  switch (topology) {
    case ' ': return CombineWay{};
    case 'h':  // all ranks compute the same expression: there is no need to be more coherent
      if (destination == -1) return CombineWay{.allreduce = doubling};
      return combine_by_tree(p, destination, 1);
    case 't': return combine_by_tree(p, destination, shape.branches);
    case 'f':
      return CombineWay{
          .one_step = false, .reduce = linear_reduce(), .broadcast = tree("bcast", 1, p)};
    case 'i': return combine_by_rings(p, destination, 1);
    case 'd': return combine_by_rings(p, destination, -1);
    case 's': return combine_by_rings(p, destination, 2);
    case 'm': return combine_by_rings(p, destination, shape.rings);
    default:
      if (topology < '1' || topology > '9') return std::nullopt;
      return combine_by_tree(p, destination, topology - '0');
  }
}

}  // namespace tutti::core::blacs
