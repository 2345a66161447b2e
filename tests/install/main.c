/* The C interface from outside. */

#include <stdio.h>
#include <tutti/tutti.h>

int main(int argc, char** argv) {
  int rank, mine, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank + 1;
  tutti_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD); /* for the drop-in */
  if (rank == 0) printf("the sum is %d\n", sum);
  MPI_Finalize();
  return 0;
}
