// What the programs share: a number from the command line, and how they tell what they found. They
// know nothing of Tutti: they are programs as users write them.

#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

/// The i-th argument, or what is usual.
inline long argument(int argc, char** argv, int i, long usual) {
  return i < argc ? std::strtol(argv[i], nullptr, 10) : usual;
}

/// What came out, the same with any MPI, and the seconds that it took on the slowest rank.
inline void tell(double result, double seconds) {
  int rank = 0;
  double longest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("{\"result\": %.9g, \"seconds\": %.6f}\n", result, longest);
}
