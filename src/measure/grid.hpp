#pragma once

#include <string>
#include <vector>

#include "measure/distribution.hpp"

namespace tutti::core {

/// What a benchmark's elements are. usual: doubles for reductions, else bytes. strided: doubles
/// with gaps between them, a derived type.
enum class Element : std::uint8_t { usual, byte, int32, float32, float64, strided };

std::string_view name_of(Element element);
/// Throws std::invalid_argument, with a suggestion.
Element parse_element(std::string_view name);

/// One collective at one size: what is measured at a time.
struct Cell {
  Collective collective = Collective::barrier;
  int p = 1;
  std::size_t bytes = 0;  // all blocks, or the vector; alltoall: what a rank sends
  Distribution distribution = Distribution::regular;
  Element element = Element::usual;
  Rank root = 0;

  /// Bytes of an element's data. A cell has at least one element; of regular blocks each has.
  std::size_t element_bytes() const;
  Problem problem() const;
  /// `allgatherv, p = 8, 1M, spike`
  std::string describe() const;
};

struct Grid {
  std::vector<Collective> collectives;
  std::vector<std::size_t> sizes;
  std::vector<Distribution> distributions;
  std::vector<Element> elements;
  double budget = 1;  // seconds for a cell
};

/// quick, standard or full. Throws std::invalid_argument.
Grid grid_named(std::string_view name);

/// All cells on p ranks: a barrier has no sizes, only irregular collectives have distributions, and
/// derived types are not reduced.
std::vector<Cell> cells_of(const Grid& grid, int p, Rank root = 0);

}  // namespace tutti::core
