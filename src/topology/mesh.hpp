#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/slice.hpp"

namespace tutti::core {

/// One direction of a wire between neighbours: out of `from`, upwards or downwards in a dimension.
struct Link {
  Rank from = 0;
  int dimension = 0;
  bool up = true;
  bool operator==(const Link&) const = default;
};

/// A physical network of ranks: a mesh, or a torus, of any number of dimensions. Ranks are numbered
/// row by row, the last dimension fastest. Neighbours are joined by a link each way. Messages go
/// the shortest way, through the last dimension first and the first one last: on rows and columns
/// along the row, then along the column. On a torus that is the shorter way round, and upwards if
/// both are equal.
class Mesh {
 public:
  /// `extents` are the ranks along each dimension; a torus `wraps` around. Throws
  /// std::invalid_argument if there is no dimension, or one without ranks.
  explicit Mesh(std::vector<int> extents, bool wraps = false);

  int p() const { return p_; }
  int dimensions() const { return static_cast<int>(extents_.size()); }
  int extent(int dimension) const { return extents_[dimension]; }
  bool wraps() const { return wraps_; }

  /// The rank's place in a dimension.
  int place(Rank rank, int dimension) const {
    return rank / strides_[dimension] % extents_[dimension];
  }
  /// Its place in each.
  std::vector<int> coordinates(Rank rank) const;

  /// The links from one rank to another, in the order a message takes them.
  std::vector<Link> route(Rank from, Rank to) const;
  /// The same, handed to `visit` one by one.
  template <class Visit>
  void follow(Rank from, Rank to, Visit visit) const {
    for (int d = dimensions() - 1; d >= 0; --d) {
      const int up = steps_up(from, to, d);
      for (int left = up < 0 ? -up : up; left > 0; --left) {
        const Link link{from, d, up > 0};
        visit(link);
        from = end_of(link);
      }
    }
  }
  /// Where a link leads to.
  Rank end_of(const Link& link) const;

  /// Links there are, each way counted.
  int links() const;
  /// A number of its own for each link, below 2 x dimensions x p.
  std::size_t index_of(const Link& link) const {
    return (static_cast<std::size_t>(link.from) * extents_.size() + link.dimension) * 2 + link.up;
  }

  /// What parse_mesh reads back, kind first: `mesh:16x32` or `torus:4x4x4`.
  std::string describe() const;
  /// `3 -> 4`
  std::string describe(const Link& link) const;

  bool operator==(const Mesh&) const = default;

 private:
  /// How far and which way a message goes in a dimension: positive is upwards.
  int steps_up(Rank from, Rank to, int dimension) const;

  std::vector<int> extents_, strides_;
  bool wraps_;
  int p_ = 1;
};

/// Reads `16x32` or `mesh:16x32`, the same, and `torus:4x4x4`; `30` is a linear array, `torus:30` a
/// ring. Throws std::invalid_argument.
Mesh parse_mesh(std::string_view text);

}  // namespace tutti::core
