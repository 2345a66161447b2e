// A plain wrapper, to be loaded in front of a program and of whatever else stands in front of its
// MPI: the seconds that the program spends in blocking collectives, on the rank that spends most,
// and of its whole run from MPI_Init on. It writes them as JSON into the file that COLLECTIVE_TIME
// names.

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

double begin = 0, in_collectives = 0;
long calls = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int begun(int error) {
  begin = MPI_Wtime();
  return error;
}

}  // namespace

extern "C" {

#define COUNT int
#define DISPL int
#define X(Name, name, parameters, arguments)                          \
  int MPI_##Name parameters {                                         \
    static const auto own = next<decltype(MPI_##Name)>("MPI_" #Name); \
    const double from = MPI_Wtime();                                  \
    const int error = own arguments;                                  \
    in_collectives += MPI_Wtime() - from;                             \
    ++calls;                                                          \
    return error;                                                     \
  }
#include "api/process/collectives.def"
#undef X
#undef COUNT
#undef DISPL

int MPI_Init(int* argc, char*** argv) {
  static const auto own = next<decltype(MPI_Init)>("MPI_Init");
  return begun(own(argc, argv));
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static const auto own = next<decltype(MPI_Init_thread)>("MPI_Init_thread");
  return begun(own(argc, argv, required, provided));
}

int MPI_Finalize() {
  static const auto reduce = next<decltype(PMPI_Reduce)>("PMPI_Reduce");
  const double mine[3] = {in_collectives, MPI_Wtime() - begin, static_cast<double>(calls)};
  double most[3] = {};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  reduce(mine, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const char* const path = std::getenv("COLLECTIVE_TIME");
  if (std::FILE* const file = rank == 0 && path != nullptr ? std::fopen(path, "w") : nullptr) {
    std::fprintf(file, "{\"collectives\": %.6f, \"run\": %.6f, \"calls\": %.0f}\n", most[0],
                 most[1], most[2]);
    std::fclose(file);
  }
  static const auto own = next<decltype(MPI_Finalize)>("MPI_Finalize");
  return own();
}

}  // extern "C"
