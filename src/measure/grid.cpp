// The grids of a benchmark by name, and their cells.

#include "measure/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "measure/names.hpp"
#include "schedule/bytes.hpp"

namespace tutti::core {

namespace {

constexpr Element all_elements[] = {Element::usual,   Element::byte,    Element::int32,
                                    Element::float32, Element::float64, Element::strided};

std::vector<Collective> all_collectives() {
  std::vector<Collective> list;
  for (int i = 0; i < collective_count; ++i) list.push_back(static_cast<Collective>(i));
  return list;
}

}  // namespace

std::string_view name_of(Element element) {
  switch (element) {
    case Element::usual: return "usual";
    case Element::byte: return "byte";
    case Element::int32: return "int";
    case Element::float32: return "float";
    case Element::float64: return "double";
    case Element::strided: return "strided";
  }
  return "";
}

Element parse_element(std::string_view name) {
  return parse_name<Element>(name, all_elements, "type");
}

std::size_t Cell::element_bytes() const {
  switch (element) {
    case Element::usual: return usual_element_bytes(collective);
    case Element::byte: return 1;
    case Element::int32:
    case Element::float32: return 4;
    case Element::float64:
    case Element::strided: return 8;
  }
  return 1;
}

Problem Cell::problem() const {
  const std::size_t size = element_bytes();
  Problem result = distributed(collective, distribution, p, (bytes + size - 1) / size);
  result.element_bytes = size;
  result.root = root;
  return result;
}

std::string Cell::describe() const {
  std::string text = fmt::format("{}, p = {}", name_of(collective), p);
  if (collective != Collective::barrier) text += fmt::format(", {}", format_bytes(bytes));
  if (is_irregular(collective)) text += fmt::format(", {}", name_of(distribution));
  if (element != Element::usual) text += fmt::format(", {}", name_of(element));
  return text;
}

Grid grid_named(std::string_view name) {
  using enum Collective;
  if (name == "quick")
    return {{barrier, bcast, scatter, gather, allgather, allgatherv, reduce, allreduce,
             reduce_scatter_block, alltoall},
            {8, 1 << 10, 32 << 10, 1 << 20},
            {Distribution::regular, Distribution::broadcast},
            {Element::usual},
            1};
  const std::vector<Distribution> six(std::begin(all_distributions), std::end(all_distributions));
  if (name == "standard")
    return {all_collectives(),
            {8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20},
            six,
            {Element::usual},
            3};
  if (name == "full") {
    Grid grid{all_collectives(), {}, six, {Element::usual, Element::strided}, 10};
    for (std::size_t n = 8; n <= 16 << 20; n *= 4) grid.sizes.push_back(n);
    grid.sizes.push_back(16 << 20);
    return grid;
  }
  throw std::invalid_argument(
      fmt::format("unknown grid '{}': write quick, standard or full", name));
}

std::vector<Cell> cells_of(const Grid& grid, int p, Rank root) {
  std::vector<Cell> cells;
  for (const Collective collective : grid.collectives) {
    if (collective == Collective::barrier) {
      cells.push_back({.collective = collective, .p = p});
      continue;
    }
    for (const Element element : grid.elements) {
      if (reduces(collective) && (element == Element::strided || element == Element::byte))
        continue;
      for (const Distribution distribution : grid.distributions) {
        if (!is_irregular(collective) && distribution != grid.distributions.front()) continue;
        for (const std::size_t bytes : grid.sizes)
          cells.push_back({collective, p, bytes,
                           is_irregular(collective) ? distribution : Distribution::regular, element,
                           has_root(collective) ? root : 0});
      }
    }
  }
  return cells;
}

}  // namespace tutti::core
