#pragma once

#include <tutti/types.hpp>

#include <algorithm>
#include <initializer_list>
#include <numeric>

namespace tutti {
inline namespace api {

/// Where the blocks of each rank lie, counted in elements: one block per rank, by default one after
/// the other. Any range of integers is one.
/// @code
/// world.allgatherv(mine, all, std::vector{3, 1, 4});
/// world.allgatherv(mine, all, tutti::Layout({3, 1, 4}, {0, 10, 20}));
/// @endcode
struct Layout {
  std::vector<std::size_t> counts;   ///< how many elements each block has
  std::vector<std::size_t> offsets;  ///< where each begins

  /// No blocks.
  Layout() = default;
  /// Blocks one after the other: `{3, 1, 4}`.
  Layout(std::initializer_list<std::size_t> list) : Layout(std::vector<std::size_t>(list)) {}
  /// The same from any range of integers.
  template <detail::Range R>
  requires std::integral<std::ranges::range_value_t<R>> Layout(
      const R& list) {  // NOLINT: a list of counts is a layout
    for (const auto count : list) {
      if (std::cmp_less(count, 0))
        throw std::invalid_argument("tutti: the layout's block " + std::to_string(counts.size()) +
                                    " has " + std::to_string(count) + " elements: give 0 or more");
      offsets.push_back(counts.empty() ? 0 : offsets.back() + counts.back());
      counts.push_back(static_cast<std::size_t>(count));
    }
  }
  /// Blocks at places of their own.
  Layout(std::vector<std::size_t> block_counts, std::vector<std::size_t> block_offsets)
      : counts(std::move(block_counts)), offsets(std::move(block_offsets)) {
    if (counts.size() != offsets.size())
      throw std::invalid_argument("tutti: the layout has " + std::to_string(counts.size()) +
                                  " counts and " + std::to_string(offsets.size()) + " offsets");
  }

  /// How many blocks there are.
  std::size_t size() const { return counts.size(); }
  /// How many elements there are in all blocks.
  std::size_t total() const { return std::reduce(counts.begin(), counts.end()); }
  /// How many elements the memory must have.
  std::size_t extent() const {
    std::size_t end = 0;
    for (std::size_t i = 0; i < size(); ++i) end = std::max(end, offsets[i] + counts[i]);
    return end;
  }
};

/// Data of all ranks, one piece of each: `all[2]` is the piece of rank 2.
/// @code
/// tutti::Pieces<int> all = world.allgatherv(mine);
/// for (int number : all[2]) ...
/// all.data, all.counts, all.offsets;  // the same in one piece
/// @endcode
template <class T>
struct Pieces : Layout {
  std::vector<T> data;  ///< the elements of all pieces

  /// No pieces.
  Pieces() = default;
  /// Pieces to be filled.
  explicit Pieces(Layout layout)
      : Layout(std::move(layout)), data(detail::new_vector<T>(extent())) {}
  /// Pieces that exist.
  Pieces(Layout layout, std::vector<T> all) : Layout(std::move(layout)), data(std::move(all)) {
    if (data.size() < extent())
      throw std::invalid_argument("tutti: the pieces take " + std::to_string(extent()) +
                                  " elements, the data have " + std::to_string(data.size()));
  }

  /// The piece of a rank.
  std::span<T> operator[](std::size_t rank) { return {data.data() + offsets[rank], counts[rank]}; }
  /// The piece of a rank.
  std::span<const T> operator[](std::size_t rank) const {
    return {data.data() + offsets[rank], counts[rank]};
  }
};

/// What goes to a rank in an alltoallw: elements of any type, in memory of their own.
class ConstBlock {
 public:
  /// Nothing.
  ConstBlock() = default;
  /// A value, or a range.
  template <class D>
  requires(!std::derived_from<D, ConstBlock>) explicit ConstBlock(const D& data)
      : ConstBlock(detail::view(data)) {}

  /// Where its elements are.
  const void* address() const { return address_; }
  /// How many there are.
  std::size_t count() const { return count_; }
  /// What they are.
  MPI_Datatype type() const { return type_; }

 protected:
  /// These elements.
  template <class T>
  explicit ConstBlock(std::span<T> data)
      : address_(data.data()), count_(data.size()), type_(datatype<T>()) {}

 private:
  const void* address_ = nullptr;
  std::size_t count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
};

/// What comes from a rank in an alltoallw.
class Block : public ConstBlock {
 public:
  /// Nothing.
  Block() = default;
  /// A variable, or a range that can be written to.
  template <class D>
  requires(!std::derived_from<std::remove_cvref_t<D>, ConstBlock>) explicit Block(D&& data)
      : ConstBlock(detail::room(std::forward<D>(data))) {}
};

namespace detail {

/// Pieces as one: as they are, or copied together.
template <class T>
const Pieces<T>& joined(const Pieces<T>& pieces) {
  return pieces;
}
template <std::ranges::forward_range R>
auto joined(const R& ranges) {
  using T = element_of<std::ranges::range_reference_t<const R>>;
  std::vector<std::size_t> counts;
  std::vector<T> all;
  for (const auto& piece : ranges) {
    const auto elements = view(piece);
    counts.push_back(elements.size());
    all.insert(all.end(), elements.begin(), elements.end());
  }
  return Pieces<T>(std::move(counts), std::move(all));
}

}  // namespace detail

}  // namespace api
}  // namespace tutti
