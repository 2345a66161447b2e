// LU factorisation with partial pivoting of a matrix that is dealt out to a grid of ranks in
// blocks, as ScaLAPACK does it: right-looking, and nearly all communication is collective, within
// rows and columns of the grid.
#pragma once

#include <cblas.h>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lu {

/// The rows, or the columns, of a matrix: n of them in blocks of nb, dealt out to p ranks in turn.
/// "Local" are the numbers of those that a rank has.
struct Cyclic {
  int n, nb, p, mine;  // mine: which of the p this rank is

  int owner(int i) const { return i / nb % p; }
  bool here(int i) const { return owner(i) == mine; }
  int local(int i) const { return i / nb / p * nb + i % nb; }
  int global(int l) const { return (l / nb * p + mine) * nb + l % nb; }
  /// How many of those before i are here; so the first from i on, as a local number.
  int before(int i) const {
    const int blocks = i / nb, rest = blocks % p;
    return blocks / p * nb + (mine < rest ? nb : mine == rest ? i % nb : 0);
  }
};

/// A rank's part of a square matrix, column by column.
struct Matrix {
  Matrix(const tutti::Grid& on, int n, int nb)
      : grid(on),
        rows{n, nb, on.dims()[0], on.coordinates()[0]},
        columns{n, nb, on.dims()[1], on.coordinates()[1]},
        height(rows.before(n)),
        width(columns.before(n)),
        stride(std::max(1, height)),
        part(static_cast<std::size_t>(stride) * width) {}

  double* at(int i, int j) { return part.data() + static_cast<std::ptrdiff_t>(stride) * j + i; }
  const double* at(int i, int j) const { return const_cast<Matrix*>(this)->at(i, j); }
  /// A piece of the part in memory of its own, to be sent.
  std::vector<double> piece(int i, int j, int high, int wide) const {
    std::vector<double> result;
    for (int c = j; c < j + wide; ++c) result.insert(result.end(), at(i, c), at(i, c) + high);
    return result;
  }

  tutti::Grid grid;
  Cyclic rows, columns;
  int height, width, stride;
  std::vector<double> part;
};

struct Singular : std::runtime_error {
  explicit Singular(int column)
      : std::runtime_error("the matrix is singular: column " + std::to_string(column) +
                           " has no pivot but 0") {}
};

/// Factors the columns from k on, as many as there are pivots, which lie in one column of the grid:
/// its ranks do that together. pivots[j] becomes the row that row k + j changes places with, or -1:
/// there is none.
inline void factorise_panel(Matrix& a, int k, std::span<int> pivots) {
  const auto& column = a.grid.column();
  const int wide = static_cast<int>(pivots.size()), first = a.columns.local(k);
  std::vector<double> upper(wide), lower(wide);  // the two rows that change places
  const auto row = [&](int i, int j) -> double& { return *a.at(a.rows.local(i), first + j); };

  std::fill(pivots.begin(), pivots.end(), -1);
  for (int j = 0; j < wide; ++j) {
    // The largest of this column.
    const int from = a.rows.before(k + j);
    tutti::Located<double> best{-1, a.rows.n};
    if (from < a.height) {
      const double* const x = a.at(from, first + j);
      const auto at = static_cast<int>(cblas_idamax(a.height - from, x, 1));
      best = {std::abs(x[at]), a.rows.global(from + at)};
    }
    const auto [value, pivot] = column.allreduce(best, tutti::maxloc);
    if (value == 0) return;
    pivots[j] = pivot;

    // Its row goes up, row k + j goes where it was, and all need the new row k + j.
    const int up = a.rows.owner(k + j), down = a.rows.owner(pivot);
    if (a.rows.here(k + j)) {
      for (int c = 0; c < wide; ++c) lower[c] = row(k + j, c);
      if (up != down) MPI_Send(lower.data(), wide, MPI_DOUBLE, down, 0, column.handle());
    }
    if (a.rows.here(pivot)) {
      if (up != down)
        MPI_Recv(lower.data(), wide, MPI_DOUBLE, up, 0, column.handle(), MPI_STATUS_IGNORE);
      for (int c = 0; c < wide; ++c) upper[c] = std::exchange(row(pivot, c), lower[c]);
    }
    column.bcast(upper, down);
    if (a.rows.here(k + j))
      for (int c = 0; c < wide; ++c) row(k + j, c) = upper[c];

    // Below: a column of L, and what is right of it less its product with the row.
    const int next = a.rows.before(k + j + 1), high = a.height - next;
    if (high == 0) continue;
    cblas_dscal(high, 1 / upper[j], a.at(next, first + j), 1);
    if (j + 1 < wide)
      cblas_dger(CblasColMajor, high, wide - j - 1, -1, a.at(next, first + j), 1, &upper[j + 1], 1,
                 a.at(next, first + j + 1), a.stride);
  }
}

/// Does a panel's changes of rows in all local columns but those from c0 to c1: all in one step,
/// among the ranks of each column of the grid.
inline void swap_rows(Matrix& a, int k, std::span<const int> pivots, int c0, int c1) {
  // The changes, one after the other, with the rows' numbers alone: which row comes from where?
  std::map<int, int> source;
  for (std::size_t j = 0; j < pivots.size(); ++j) {
    const int i = k + static_cast<int>(j);
    std::swap(source.try_emplace(i, i).first->second,
              source.try_emplace(pivots[j], pivots[j]).first->second);
  }

  const std::size_t wide = a.width - (c1 - c0), ranks = a.rows.p;
  std::vector<std::vector<int>> leave(ranks), come(ranks);  // local rows, to and from each rank
  for (const auto& [to, from] : source) {
    if (a.rows.here(from)) leave[a.rows.owner(to)].push_back(a.rows.local(from));
    if (a.rows.here(to)) come[a.rows.owner(from)].push_back(a.rows.local(to));
  }
  const auto layout = [&](const auto& lists) {
    std::vector<std::size_t> counts;
    for (const auto& list : lists) counts.push_back(list.size() * wide);
    return tutti::Layout(counts);
  };
  const tutti::Layout sent = layout(leave), received = layout(come);
  std::vector<double> out(sent.total()), in(received.total());
  // Column by column, as both lie in memory.
  const auto each = [&](const auto& lists, const tutti::Layout& blocks, const auto& move) {
    for (std::size_t r = 0; r < ranks; ++r)
      for (std::size_t c = 0, at = blocks.offsets[r]; c < wide; ++c) {
        double* const column = a.at(0, static_cast<int>(c) + (std::cmp_less(c, c0) ? 0 : c1 - c0));
        for (const int row : lists[r]) move(column[row], at++);
      }
  };
  each(leave, sent, [&](double& x, std::size_t at) { out[at] = x; });
  a.grid.column().alltoallv(out, sent, in, received);
  each(come, received, [&](double& x, std::size_t at) { x = in[at]; });
}

/// Overwrites a matrix with its factors: U, and below its diagonal L, whose own diagonal is 1.
/// Returns the pivots: row i changed places with row pivots[i], one after the other. Throws
/// Singular on all ranks.
inline std::vector<int> factorise(Matrix& a) {
  const int n = a.rows.n, nb = a.rows.nb;
  std::vector<int> pivots(n);
  for (int k = 0; k < n; k += nb) {
    const int wide = std::min(nb, n - k), end = k + wide;
    const int home = a.columns.owner(k), top = a.rows.owner(k);
    const int r0 = a.rows.before(k), r1 = a.rows.before(end);  // local, from the panel on and below
    const int c0 = a.columns.before(k), c1 = a.columns.before(end);
    const std::span<int> chosen(&pivots[k], wide);

    if (a.columns.here(k)) factorise_panel(a, k, chosen);
    a.grid.row().bcast(chosen, home);
    if (const auto none = std::find(chosen.begin(), chosen.end(), -1); none != chosen.end())
      throw Singular(k + static_cast<int>(none - chosen.begin()));
    swap_rows(a, k, chosen, c0, c1);
    if (end == n) break;

    // L goes along the rows of the grid, U along its columns.
    const int high = a.height - r0, right = a.width - c1;
    std::vector<double> lower(static_cast<std::size_t>(high) * wide);
    if (a.columns.here(k)) lower = a.piece(r0, c0, high, wide);
    a.grid.row().bcast(lower, home);

    std::vector<double> upper(static_cast<std::size_t>(wide) * right);
    if (a.rows.here(k)) {
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, wide, right, 1,
                  lower.data(), high, a.at(r0, c1), a.stride);
      upper = a.piece(r0, c1, wide, right);
    }
    a.grid.column().bcast(upper, top);

    if (a.height > r1 && right > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, a.height - r1, right, wide, -1,
                  lower.data() + (r1 - r0), high, upper.data(), wide, 1, a.at(r1, c1), a.stride);
  }
  return pivots;
}

/// The largest sum of a row's absolute values.
inline double norm(const Matrix& a) {
  std::vector<double> sums(a.height);
  for (int j = 0; j < a.width; ++j)
    for (int i = 0; i < a.height; ++i) sums[i] += std::abs(*a.at(i, j));
  a.grid.row().allreduce_in_place(sums, tutti::sum);
  const double largest = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
  return a.grid.column().allreduce(largest, tutti::max);
}

/// ||PA - LU|| / (||A|| n eps): some units if all is well, whatever the size.
inline double residual(Matrix a, const Matrix& factors, const std::vector<int>& pivots) {
  const int n = a.rows.n, nb = a.rows.nb;
  const double size = norm(a);
  for (int k = 0; k < n; k += nb)
    swap_rows(a, k, std::span(pivots).subspan(k, std::min(nb, n - k)), 0, 0);
  for (int k = 0; k < n; k += nb) {
    const int wide = std::min(nb, n - k);
    const int r0 = a.rows.before(k), c0 = a.columns.before(k);
    const int high = a.height - r0, right = a.width - c0;
    std::vector<double> lower(static_cast<std::size_t>(high) * wide);
    if (a.columns.here(k)) {
      lower = factors.piece(r0, c0, high, wide);
      if (a.rows.here(k))  // its first rows have U's triangle, too
        for (int j = 0; j < wide; ++j)
          for (int i = 0; i <= j; ++i) lower[static_cast<std::size_t>(j) * high + i] = i == j;
    }
    a.grid.row().bcast(lower, a.columns.owner(k));
    std::vector<double> upper(static_cast<std::size_t>(wide) * right);
    if (a.rows.here(k)) {
      upper = factors.piece(r0, c0, wide, right);
      if (a.columns.here(k))
        for (int j = 0; j < wide; ++j)
          for (int i = j + 1; i < wide; ++i) upper[static_cast<std::size_t>(j) * wide + i] = 0;
    }
    a.grid.column().bcast(upper, a.rows.owner(k));
    if (high > 0 && right > 0)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, high, right, wide, -1, lower.data(),
                  high, upper.data(), wide, 1, a.at(r0, c0), a.stride);
  }
  constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
  return norm(a) / (size * n * unit);
}

/// Element (i, j) of a matrix that is the same on every grid: numbers between -0.5 and 0.5 that
/// look random.
inline double element(int i, int j) {
  std::uint64_t x = static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j);
  for (const std::uint64_t factor : {0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu}) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * factor;
  }
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53 - 0.5;
}

inline void fill(Matrix& a) {
  for (int j = 0; j < a.width; ++j)
    for (int i = 0; i < a.height; ++i) *a.at(i, j) = element(a.rows.global(i), a.columns.global(j));
}

}  // namespace lu
