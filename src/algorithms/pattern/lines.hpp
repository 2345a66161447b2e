#pragma once

#include <utility>

#include "algorithms/building_blocks.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

/// The lines of a mesh that a rank stands on.
class Lines {
 public:
  Lines(const Group& g, const std::vector<int>& shape) : g_(g), shape_(shape), box_(shape.size()) {
    for (int i = dimensions(), size = 1; i-- > 0; size *= shape_[i]) box_[i] = size;
  }

  int dimensions() const { return static_cast<int>(shape_.size()); }
  int extent(int i) const { return shape_[i]; }
  /// A rank's place on its line along dimension i, and mine.
  int place(int i, int rank) const { return rank / box_[i] % shape_[i]; }
  int place(int i) const { return place(i, g_.rank()); }
  Group along(int i) const {
    std::vector<Rank> members(shape_[i]);
    for (int j = 0; j < shape_[i]; ++j) members[j] = g_.at(first(i) + j * box_[i]);
    return {std::move(members), g_.at(g_.rank())};
  }
  /// Whether my line along dimension i is in line with the root: later places are the root's. A
  /// vector comes from the root dimension by dimension, and these are the lines that take part.
  bool meets(int i, int root) const { return g_.rank() % box_[i] == root % box_[i]; }

  /// The ranks [from, to) that share my places along all dimensions before i.
  std::pair<int, int> box(int i) const {
    const int size = i == 0 ? g_.size() : box_[i - 1], begin = g_.rank() / size * size;
    return {begin, begin + size};
  }
  /// For each place of my line along dimension i the blocks of the ranks behind it; places [from,
  /// to) only. All must stand one after the other.
  Blocks slabs(const Blocks& blocks, int i, int from, int to) const {
    const auto begin = [&](int place) { return first_of_slab(i, place); };
    std::vector<std::size_t> counts;
    for (int j = from; j < to; ++j) counts.push_back(blocks.count(begin(j), begin(j + 1)));
    return Blocks::of(blocks.range(begin(from), begin(to)).front(), counts, from);
  }
  Blocks slabs(const Blocks& blocks, int i) const { return slabs(blocks, i, 0, shape_[i]); }

  /// Scatter and gather: the places of my line along dimension i that I speak for.
  std::pair<int, int> spoken_for(int i, int root) const {
    if (place(i) == place(i, root)) return {0, shape_[i]};
    return {place(i), subtree_end(shape_[i], place(i, root), place(i))};
  }
  /// The ranks [from, to) whose blocks pass through me.
  std::pair<int, int> passing(int root) const {
    for (int i = dimensions(); i-- > 0;)
      if (place(i) != place(i, root)) {
        const auto [from, to] = spoken_for(i, root);
        return {first_of_slab(i, from), first_of_slab(i, to)};
      }
    return {0, g_.size()};
  }

 private:
  /// The first rank of my line along dimension i.
  int first(int i) const { return g_.rank() - place(i) * box_[i]; }
  /// The first rank behind a place of my line.
  int first_of_slab(int i, int place) const { return box(i).first + place * box_[i]; }

  const Group& g_;
  const std::vector<int>& shape_;
  std::vector<int> box_;  // for each dimension, how many ranks stand behind a place
};

/// A vector cut along the long dimensions: what my line along each shares out, of which my part is
/// cut along the next; and what is left for the others.
struct Cut {
  Cut(const Lines& lines, const Slice& vector, int longs) : rest(vector) {
    for (int i = 0; i < longs; ++i) {
      along.push_back(split(rest, lines.extent(i)));
      rest = along[i][lines.place(i)];
    }
  }
  std::vector<Blocks> along;
  Slice rest;
};

/// Broadcast along all dimensions from `first` on, from the places that `root` has along them ...
inline void bcast_along(Builder& b, const Lines& lines, int first, int root, const Slices& vector) {
  for (int i = first; i < lines.dimensions(); ++i)
    if (lines.meets(i, root)) bcast_binomial(b, lines.along(i), lines.place(i, root), vector);
}
/// ... and combine-to-one, backwards: ranks are combined in their order.
inline void reduce_along(Builder& b, const Lines& lines, int first, int root,
                         const Slices& vector) {
  for (int i = lines.dimensions(); i-- > first;)
    if (lines.meets(i, root)) reduce_binomial(b, lines.along(i), lines.place(i, root), vector);
}

}  // namespace tutti::core
