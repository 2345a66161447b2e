// A plain wrapper, to be loaded in front of a program and of whatever else stands in front of its
// MPI: the seconds that the program spends in blocking collectives, on the rank that spends most,
// and of rank 0's whole run, from MPI_Init to MPI_Finalize, both included. It writes them as JSON
// into the file that COLLECTIVE_TIME names.

#include <dlfcn.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using Clock = std::chrono::steady_clock;
Clock::time_point begin;
double in_collectives = 0;
long calls = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
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
  begin = Clock::now();
  return own(argc, argv);
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static const auto own = next<decltype(MPI_Init_thread)>("MPI_Init_thread");
  begin = Clock::now();
  return own(argc, argv, required, provided);
}

int MPI_Finalize() {
  static const auto reduce = next<decltype(PMPI_Reduce)>("PMPI_Reduce");
  static const auto own = next<decltype(MPI_Finalize)>("MPI_Finalize");
  const double mine[2] = {in_collectives, static_cast<double>(calls)};
  double most[2] = {};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  reduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  const int error = own();
  const double run = std::chrono::duration<double>(Clock::now() - begin).count();
  const char* const path = std::getenv("COLLECTIVE_TIME");
  if (std::FILE* const file = rank == 0 && path != nullptr ? std::fopen(path, "w") : nullptr) {
    std::fprintf(file, "{\"collectives\": %.6f, \"run\": %.6f, \"calls\": %.0f}\n", most[0], run,
                 most[1]);
    std::fclose(file);
  }
  return error;
}

}  // extern "C"
