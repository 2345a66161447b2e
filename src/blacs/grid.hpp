// Grids of processes and their scopes, as communicators.

#pragma once

#include <mpi.h>

namespace tutti::core::blacs {

/// Those who take part in a call: a row of the grid, a column, or all.
struct Scope {
  int p = 1, rank = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  const char* why = nullptr;  // there is no communicator
};

/// The process grid of a context, with a communicator for each scope. They are made with the grid:
/// all its processes are there, and can agree on whether there is room for them.
class Grid {
 public:
  Grid(int rows, int columns, int row, int column, MPI_Comm comm);
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  /// By its letter, in lower case; null if there is no such scope.
  const Scope* scope(char letter) const {
    return letter == 'r'   ? &row_scope_
           : letter == 'c' ? &column_scope_
           : letter == 'a' ? &all_
                           : nullptr;
  }
  int columns() const { return row_scope_.p; }
  int row() const { return column_scope_.rank; }
  int column() const { return row_scope_.rank; }

 private:
  MPI_Comm given_;  // the BLACS's own, of all
  Scope all_, row_scope_, column_scope_;
};

/// The grid of a context; null if there is none, or it was made where nobody saw it.
const Grid* grid_of(int context);
/// A context was made. Collective.
void adopt(int context);
/// It will be freed, or all will.
void forget(int context);
void forget_all();

/// What a context was set to: `what` as blacs_get means it.
int setting_of(int context, int what);

}  // namespace tutti::core::blacs
