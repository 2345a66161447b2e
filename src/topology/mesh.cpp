// Links and routes of meshes and tori.

#include "topology/mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace tutti::core {

Mesh::Mesh(std::vector<int> extents, bool wraps)
    : extents_(std::move(extents)), strides_(extents_.size()), wraps_(wraps) {
  if (extents_.empty()) throw std::invalid_argument("a mesh needs at least one dimension");
  for (std::size_t d = extents_.size(); d-- > 0;) {
    if (extents_[d] < 1)
      throw std::invalid_argument(
          fmt::format("dimension {} of a mesh has {} ranks: give at least one", d, extents_[d]));
    if (extents_[d] > most_ranks / p_)
      throw std::invalid_argument(
          fmt::format("a mesh of {} has more than {} ranks", fmt::join(extents_, "x"), most_ranks));
    strides_[d] = p_;
    p_ *= extents_[d];
  }
}

std::vector<int> Mesh::coordinates(Rank rank) const {
  std::vector<int> places;
  for (int d = 0; d < dimensions(); ++d) places.push_back(place(rank, d));
  return places;
}

int Mesh::steps_up(Rank from, Rank to, int dimension) const {
  const int extent = extents_[dimension], up = place(to, dimension) - place(from, dimension);
  if (!wraps_) return up;
  const int round = up < 0 ? up + extent : up;  // all the way upwards
  return 2 * round <= extent ? round : round - extent;
}

std::vector<Link> Mesh::route(Rank from, Rank to) const {
  std::vector<Link> links;
  follow(from, to, [&](const Link& link) { links.push_back(link); });
  return links;
}

Rank Mesh::end_of(const Link& link) const {
  const int extent = extents_[link.dimension], stride = strides_[link.dimension];
  const int here = place(link.from, link.dimension);
  const int there = link.up ? here + 1 : here - 1;
  return link.from + ((there + extent) % extent - here) * stride;
}

int Mesh::links() const {
  int number = 0;
  for (const int extent : extents_) {
    // Two that are neighbours already need no further wire to wrap around.
    const int wires = wraps_ && extent > 2 ? extent : extent - 1;
    number += 2 * wires * (p_ / extent);
  }
  return number;
}

std::string Mesh::describe() const {
  return fmt::format("{}:{}", wraps_ ? "torus" : "mesh", fmt::join(extents_, "x"));
}

std::string Mesh::describe(const Link& link) const {
  return fmt::format("{} -> {}", link.from, end_of(link));
}

Mesh parse_mesh(std::string_view text) {
  const auto refuse = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format(
        "'{}' is no mesh: {}; write 16x32, torus:4x4x4, or 30 for a linear array", text, what));
  };
  const std::size_t colon = text.find(':');
  const bool plain = colon == std::string_view::npos;
  const std::string_view kind = plain ? "mesh" : text.substr(0, colon);
  if (kind != "mesh" && kind != "torus") refuse(fmt::format("'{}' is none of mesh, torus", kind));
  std::vector<int> extents;
  for (std::size_t begin = plain ? 0 : colon + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    int extent = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), extent);
    if (error != std::errc{} || rest != word.data() + word.size() || extent < 1)
      refuse(fmt::format("'{}' is no number of ranks", word));
    extents.push_back(extent);
    begin = end + 1;
  }
  return Mesh(std::move(extents), kind == "torus");
}

}  // namespace tutti::core
