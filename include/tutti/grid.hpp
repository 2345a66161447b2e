#pragma once

#include <tutti/communicator.hpp>

#include <algorithm>

namespace tutti {
inline namespace api {

/// A mesh of places joined by links, as a machine has it; for placement().
struct Network {
  /// Places in each dimension. Ranks that share a node are a dimension of their own, the last.
  std::vector<int> dims;
  /// The ends of each dimension are joined, too.
  bool torus = false;
  /// The place of each rank, numbered row by row (the last dimension fastest). Empty: rank r is at
  /// place r.
  std::vector<int> where = {};
};

/// Which rank takes which place of a grid; see placement().
struct Placement {
  /// The rank at each place of the grid, row by row.
  std::vector<int> ranks;
  /// The most links between neighbours in a line of the grid; 1: all are neighbours there too.
  int largest_hop = 0;
  /// The most links from the end of a line back to its beginning.
  int closing_hop = 0;
};

namespace detail {

/// "2x3"
inline std::string joined_by_x(const std::vector<int>& dims) {
  std::string text;
  for (const int size : dims) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

/// Each of 0, 1, ... once?
inline bool is_permutation(const std::vector<int>& list) {
  std::vector<bool> seen(list.size());
  for (const int each : list) {
    if (each < 0 || std::cmp_greater_equal(each, list.size()) || seen[each]) return false;
    seen[each] = true;
  }
  return true;
}

}  // namespace detail

/// Lays a grid on the network of a machine, so that its lines lie on lines there where the shapes
/// allow it: as they are, transposed, or a line of the grid folded over several dimensions of the
/// network like a snake, from neighbour to neighbour. Where nothing else is left, lines share a
/// dimension, with steps as short as can be. A matter of shapes alone: no communication.
/// @code
/// const auto best = tutti::placement({.dims = {4, 2, 3}}, {6, 4});   // best.largest_hop == 1
/// const tutti::Grid grid(world, {6, 4}, best.ranks);
/// @endcode
/// Throws std::invalid_argument if the two do not have as many places.
inline Placement placement(const Network& network, const std::vector<int>& dims) {
  const auto fail = [&](const std::string& why) {
    throw std::invalid_argument("tutti: placement: a grid of '" + detail::joined_by_x(dims) +
                                "' on a network of '" + detail::joined_by_x(network.dims) +
                                "': " + why);
  };
  std::size_t places = 1;
  for (const int size : dims) places *= static_cast<std::size_t>(std::clamp(size, 1, 1 << 24));
  Placement result;
  if (places <= 1 << 24) result.ranks.resize(places);
  if (tutti_placement(static_cast<int>(network.dims.size()), network.dims.data(), network.torus,
                      static_cast<int>(dims.size()), dims.data(), result.ranks.data(),
                      &result.largest_hop, &result.closing_hop) != MPI_SUCCESS)
    fail("give both as many places, and at least one in every dimension");
  if (network.where.empty()) return result;
  if (network.where.size() != places || !detail::is_permutation(network.where))
    fail("'where' must have each of the " + std::to_string(places) + " places once");
  std::vector<int> rank_at(places);
  for (std::size_t r = 0; r < places; ++r) rank_at[network.where[r]] = static_cast<int>(r);
  for (int& each : result.ranks) each = rank_at[each];
  return result;
}

/// Ranks as a grid of any number of dimensions, with a communicator for each line through this
/// rank. They are made once, here; the collectives over them make none.
/// @code
/// const tutti::Grid grid(world, {2, 3});     // ranks 0 1 2 are the first row, 3 4 5 the second
/// grid.row().bcast(panel, 0);                // from the first column, in each row
/// grid.column().allreduce(x, y, tutti::max); // among the ranks with the same column
/// @endcode
/// Ranks and places are numbered row by row: the last coordinate is the fastest, as MPI's are.
///
/// Making one is collective. The grid and its copies own the communicators that it makes: the last
/// of them frees these, which all of its ranks must do; after MPI_Finalize nothing is left to do.
class Grid {
 public:
  /// No grid.
  Grid() = default;

  /// All ranks of a communicator. Those of a communicator that a rank is not in have no grid, so
  /// that some may be left out:
  /// @code
  /// const tutti::Grid grid(world.split(world.rank() < 4 ? 0 : MPI_UNDEFINED), {2, 2});
  /// if (!grid) return;  // a fifth rank
  /// @endcode
  ///
  /// @param all    the ranks
  /// @param dims   how many places each dimension has
  /// @param ranks  the rank at each place, for another order than that of the ranks; see
  ///               placement()
  ///
  /// Throws std::invalid_argument, on all ranks, if dims do not have a place for each rank and no
  /// more, if ranks does not have each once, or if the ranks do not say the same.
  Grid(const Communicator& all, std::vector<int> dims, const std::vector<int>& ranks = {})
      : all_(all) {
    if (!all) return;
    require_agreement(all, dims, ranks);
    require_fit(all.size(), dims);
    if (!ranks.empty()) {
      if (std::cmp_not_equal(ranks.size(), all.size()) || !detail::is_permutation(ranks))
        throw std::invalid_argument("tutti: Grid: the list of ranks must have each of the " +
                                    std::to_string(all.size()) + " once");
      const auto place = std::find(ranks.begin(), ranks.end(), all.rank()) - ranks.begin();
      all_ = all.split(0, static_cast<int>(place));
    }
    make_lines(std::move(dims));
  }

  /// The grid of a communicator that MPI_Cart_create made, which somebody else frees. Whether it is
  /// periodic does not matter here. MPI_COMM_NULL: no grid.
  explicit Grid(MPI_Comm cartesian) : all_(cartesian) {
    if (!all_) return;
    int kind = MPI_UNDEFINED, n = 0;
    detail::check(MPI_Topo_test(cartesian, &kind));
    if (kind != MPI_CART)
      throw std::invalid_argument(
          "tutti: Grid: the communicator has no Cartesian topology: give dimensions, too");
    detail::check(MPI_Cartdim_get(cartesian, &n));
    std::vector<int> dims(n), periodic(n), mine(n);
    if (n > 0) detail::check(MPI_Cart_get(cartesian, n, dims.data(), periodic.data(), mine.data()));
    require_fit(all_.size(), dims);
    make_lines(std::move(dims));
  }

  /// False if this rank is in no grid.
  explicit operator bool() const { return !lines_.empty(); }

  /// How many places each dimension has.
  const std::vector<int>& dims() const { return dims_; }
  /// Where this rank is.
  const std::vector<int>& coordinates() const { return mine_; }
  /// Where a rank of all() is.
  std::vector<int> coordinates(int rank) const {
    if (rank < 0 || rank >= all_.size())
      throw std::invalid_argument("tutti: Grid: no rank " + std::to_string(rank) +
                                  " in a grid of " + std::to_string(all_.size()));
    std::vector<int> result(dims_.size());
    for (std::size_t k = dims_.size(); k-- > 0; rank /= dims_[k]) result[k] = rank % dims_[k];
    return result;
  }
  /// The rank in all() at a place.
  int rank_at(const std::vector<int>& coordinates) const {
    bool fits = coordinates.size() == dims_.size();
    int rank = 0;
    for (std::size_t k = 0; fits && k < dims_.size(); ++k) {
      fits = coordinates[k] >= 0 && coordinates[k] < dims_[k];
      rank = rank * dims_[k] + coordinates[k];
    }
    if (!fits)
      throw std::invalid_argument("tutti: Grid: no place (" + listed(coordinates) +
                                  ") in a grid of " + detail::joined_by_x(dims_));
    return rank;
  }

  /// All ranks, in the order of their places: the communicator that was given, unless the order is
  /// another.
  const Communicator& all() const { return all_; }
  /// The ranks that differ from this one in this coordinate alone, in its order.
  const Communicator& line(int dimension) const {
    if (dimension < 0 || std::cmp_greater_equal(dimension, lines_.size()))
      throw std::invalid_argument("tutti: Grid: no dimension " + std::to_string(dimension) +
                                  " in a grid of " + std::to_string(lines_.size()));
    return lines_[dimension];
  }
  /// In two dimensions: the ranks of this row, ordered by column.
  const Communicator& row() const { return line_of_two("row", 1); }
  /// In two dimensions: the ranks of this column, ordered by row.
  const Communicator& column() const { return line_of_two("column", 0); }

  /// The ranks that differ from this one in these coordinates alone, row by row. Made by this call,
  /// which is collective: keep it.
  /// @code
  /// const auto layer = cube.plane({1, 2});
  /// @endcode
  [[nodiscard]] Communicator plane(const std::vector<int>& dimensions) const {
    std::vector<int> corner = mine_;
    for (const int each : dimensions) {
      line(each);  // is there such a dimension?
      corner[each] = 0;
    }
    return all_.split(rank_at(corner), all_.rank());
  }

 private:
  /// A rank that alone has other dimensions must not be the only one to stop.
  static void require_agreement(const Communicator& all, const std::vector<int>& dims,
                                const std::vector<int>& ranks) {
    std::uint64_t said = 14695981039346656037u;
    for (const auto* list : {&dims, &ranks}) {
      said = (said ^ list->size()) * 1099511628211u;
      for (const int each : *list)
        said = (said ^ static_cast<std::uint32_t>(each)) * 1099511628211u;
    }
    const auto most = all.allreduce(std::array{said, ~said}, max);
    if (most[0] != ~most[1])
      throw std::invalid_argument(
          "tutti: Grid: the ranks do not all give the same dimensions and order");
  }
  static void require_fit(int size, const std::vector<int>& dims) {
    std::int64_t places = dims.empty() ? 0 : 1;
    for (const int each : dims)
      places = each < 1 ? 0 : std::min<std::int64_t>(places * each, 1ll << 31);
    if (places != size)
      throw std::invalid_argument(
          "tutti: Grid: dimensions '" + detail::joined_by_x(dims) + "' for " +
          std::to_string(size) + (size == 1 ? " rank" : " ranks") +
          ": their product must be the number of ranks; to leave ranks out, split them off before");
  }
  static std::string listed(const std::vector<int>& numbers) {
    std::string text;
    for (const int each : numbers) text += (text.empty() ? "" : ", ") + std::to_string(each);
    return text;
  }

  void make_lines(std::vector<int> dims) {
    dims_ = std::move(dims);
    mine_ = coordinates(all_.rank());
    for (std::size_t k = 0; k < dims_.size(); ++k) {
      std::vector<int> first = mine_;
      first[k] = 0;
      lines_.push_back(all_.split(rank_at(first), mine_[k]));
    }
  }
  const Communicator& line_of_two(const char* name, int dimension) const {
    if (lines_.size() != 2)
      throw std::invalid_argument("tutti: Grid: a grid of " + std::to_string(lines_.size()) +
                                  " dimensions has no " + name + ": use line()");
    return lines_[dimension];
  }

  Communicator all_{MPI_COMM_NULL};
  std::vector<int> dims_, mine_;
  std::vector<Communicator> lines_;
};

}  // namespace api
}  // namespace tutti
