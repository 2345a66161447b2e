// Makes and forgets the communicators of a grid.

#include "blacs/grid.hpp"

#include <cstddef>
#include <memory>
#include <vector>

#include "api/front/drop_in.hpp"
#include "blacs/reference.hpp"

namespace tutti::core::blacs {

namespace {

constexpr int what_communicator = 10;

using GetFunction = void(const int* context, const int* what, int* value);
using GridInfoFunction = void(const int* context, int* rows, int* columns, int* row, int* column);

/// By context. The BLACS takes one call at a time, and so does this.
std::vector<std::unique_ptr<Grid>>& grids() {
  static auto* const list = new std::vector<std::unique_ptr<Grid>>;
  return *list;
}

/// A part of the grid; alone a process needs no communicator of its own.
Scope make_scope(MPI_Comm grid, int p, int part, int rank) {
  Scope scope{p, rank, MPI_COMM_SELF, nullptr};
  if (p > 1) scope.why = tutti_part(grid, part, rank, &scope.comm);
  return scope;
}

}  // namespace

Grid::Grid(int rows, int columns, int row, int column, MPI_Comm comm)
    : given_(comm),
      all_(make_scope(comm, rows * columns, 0, row * columns + column)),
      row_scope_(make_scope(comm, columns, row, column)),
      column_scope_(make_scope(comm, rows, column, row)) {}

Grid::~Grid() {
  for (const Scope* scope : {&all_, &row_scope_, &column_scope_})
    if (scope->comm != MPI_COMM_NULL && scope->comm != MPI_COMM_SELF && scope->comm != given_)
      tutti_free_part(scope->comm);
}

const Grid* grid_of(int context) {
  const auto& list = grids();
  const auto index = static_cast<std::size_t>(context);
  return context >= 0 && index < list.size() ? list[index].get() : nullptr;
}

void adopt(int context) {
  if (context < 0 || grid_of(context) != nullptr) return;
  static const auto grid_info = reference<GridInfoFunction>("blacs_gridinfo_");
  int rows = 0, columns = 0, row = 0, column = 0;
  grid_info(&context, &rows, &columns, &row, &column);
  // Fortran's form gives the MPI's own handle; C's would leave an entry in a table of the BLACS.
  MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(setting_of(context, what_communicator)));
  int size = 0;
  MPI_Comm_size(comm, &size);
  if (size != rows * columns) return;
  auto& list = grids();
  const auto index = static_cast<std::size_t>(context);
  if (index >= list.size()) list.resize(index + 1);
  list[index] = std::make_unique<Grid>(rows, columns, row, column, comm);
}

void forget(int context) {
  if (grid_of(context) != nullptr) grids()[static_cast<std::size_t>(context)].reset();
}

void forget_all() { grids().clear(); }

int setting_of(int context, int what) {
  static const auto get = reference<GetFunction>("blacs_get_");
  int value = 0;
  get(&context, &what, &value);
  return value;
}

}  // namespace tutti::core::blacs
