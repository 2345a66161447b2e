#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace tutti::core::cli {

/// From now on Ctrl-C and its like ask every measurement to end soon.
void end_on_signals();

/// What went wrong on this rank.
struct Trouble {
  int bad = 0;
  std::string why;

  template <class Work>
  void attempt(Work&& work) {
    try {
      work();
    } catch (const std::exception& error) {
      why = error.what();
      bad = 1;
    }
  }
  /// Only rank 0 can fail to write: all must hear of it.
  template <class Work>
  void attempt_on_first(int rank, Work&& work) {
    if (rank == 0) attempt(work);
    PMPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (bad) throw std::runtime_error(why);
  }
};

}  // namespace tutti::core::cli
