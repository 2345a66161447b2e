/* The C interface from outside. */

#include <stdio.h>
#include <string.h>
#include <tutti/tutti.h>

int main(int argc, char** argv) {
  int rank, mine, sum = 0;
  char numbers[32];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", TUTTI_VERSION_MAJOR, TUTTI_VERSION_MINOR,
           TUTTI_VERSION_PATCH);
  if (strcmp(numbers, TUTTI_VERSION_STRING) != 0 || strcmp(numbers, tutti_version()) != 0) return 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank + 1;
  tutti_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD); /* for the drop-in */
  if (rank == 0) printf("the sum is %d\n", sum);
  MPI_Finalize();
  return 0;
}
