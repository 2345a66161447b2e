#pragma once

#include <vector>

namespace tutti::core {

/// Where a logical grid lies on a physical network.
struct Placement {
  /// The physical place of each logical one. Both are numbered row by row, the last dimension
  /// fastest.
  std::vector<int> places;
  /// The most links between neighbours of a logical line; 1: all are neighbours there too.
  int largest_hop = 0;
  /// The most links from the last of a logical line back to its first.
  int closing_hop = 0;
};

/// Lays a logical grid on a mesh, or a torus, of as many places, so that neighbours in the lines of
/// the grid are near each other:
///
/// - A logical dimension that fits a physical one lies on it: the identity, or a transposition.
/// - One that is the product of several is folded over them like a snake: every step is one link.
/// - Where it takes it, a physical dimension is shared: one logical line takes every second place,
///   or third, as few apart as can be.
///
/// Throws std::invalid_argument if a list is empty, a dimension is below 1, or the products differ.
Placement place(const std::vector<int>& physical, bool torus, const std::vector<int>& logical);

}  // namespace tutti::core
