/* Pi by the midpoint rule: a broadcast, a reduction. An unchanged MPI program in C. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, p;
  long steps = 10000000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);

  MPI_Bcast(&steps, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  double part = 0, pi = 0;
  for (long i = rank; i < steps; i += p) {
    const double x = (i + 0.5) / steps;
    part += 4 / (1 + x * x);
  }
  MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

  if (rank == 0) printf("pi = %.9f\n", pi / steps);
  MPI_Finalize();
  return 0;
}
