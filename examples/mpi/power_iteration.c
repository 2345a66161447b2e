/* The largest eigenvalue of a banded matrix that is spread by columns over the ranks: a plain MPI
 * program that knows nothing of Tutti. Each step multiplies (every rank gets a part of every sum),
 * adds the parts with a reduce-scatter, and scales with an allreduce.
 *
 *   mpirun -n 4 power_iteration [steps]
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 1 << 17, band = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int steps = argc > 1 ? atoi(argv[1]) : 100;
  const int mine = (rows + p - 1) / p, all = mine * p;
  double* x = malloc(sizeof(double) * mine);
  double* parts = calloc(all, sizeof(double));
  double eigenvalue = 0;
  for (int i = 0; i < mine; ++i) x[i] = 1;

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double in_collectives = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < all; ++i) parts[i] = 0;
    for (int i = 0; i < mine; ++i) {
      const int column = rank * mine + i;
      for (int row = column - band; row <= column + band; ++row)
        if (column < rows && row >= 0 && row < rows)
          parts[row] += x[i] * (1.0 / (1 + abs(row - column)) + (row == column) * (row % 7));
    }
    const double before = MPI_Wtime();
    MPI_Reduce_scatter_block(parts, x, mine, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double square = 0, total;
    for (int i = 0; i < mine; ++i) square += x[i] * x[i];
    MPI_Allreduce(&square, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    in_collectives += MPI_Wtime() - before;
    eigenvalue = sqrt(total);
    for (int i = 0; i < mine; ++i) x[i] /= eigenvalue;
  }
  const double seconds = MPI_Wtime() - begin;
  double slowest[2], here[2] = {seconds, in_collectives};
  MPI_Reduce(here, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("eigenvalue %.10g after %d steps on %d ranks: %.3f s, of which collectives %.3f s\n",
           eigenvalue, steps, p, slowest[0], slowest[1]);
  free(x);
  free(parts);
  MPI_Finalize();
  return 0;
}
