// Work for the end hangs on MPI_COMM_SELF, or where that is too late, stands before
// MPI_Finalize.

#include "api/process/finalize.hpp"

#include <mpi.h>

#include <vector>

#include "api/process/keyval.hpp"

#ifdef TUTTI_SIMULATED

namespace {
std::vector<void (*)()> works;
}

void tutti::core::at_finalize(void (*work)()) { works.push_back(work); }

// When SimGrid frees what hangs on MPI_COMM_SELF no rank can send any more.
extern "C" int MPI_Finalize() {
  while (!works.empty()) {
    void (*const work)() = works.back();
    works.pop_back();
    work();
  }
  return PMPI_Finalize();
}

#else

void tutti::core::at_finalize(void (*work)()) {
  // MPI_Finalize first frees what hangs on MPI_COMM_SELF.
  const int key = make_keyval([](MPI_Comm, int, void* value, void*) -> int {
    reinterpret_cast<void (*)()>(value)();
    return MPI_SUCCESS;
  });
  PMPI_Comm_set_attr(MPI_COMM_SELF, key, reinterpret_cast<void*>(work));
}

#endif
