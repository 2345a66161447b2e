/* Tutti called by name from C: force an algorithm, see that it ran. Link with -ltutti. */

#include <stdio.h>
#include <tutti/tutti.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  double mine = rank + 1, product = 0;
  tutti_force("allreduce", "recursive_doubling");
  tutti_allreduce(&mine, &product, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);

  unsigned long long calls = 0;
  tutti_count("allreduce", "recursive_doubling", &calls);
  if (rank == 0) printf("%.0f, by %llu call of recursive_doubling\n", product, calls);
  MPI_Finalize();
  return 0;
}
