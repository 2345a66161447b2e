/* A communicator that is made, used four times and freed, again and again: `reversed`, the world's
 * ranks in another order, or `world`, a duplicate of it. Arguments: which, and how many numbers it
 * sums. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { times = 2000, most = 1 << 14 };

int main(int argc, char** argv) {
  static int mine[most], sum[most];
  int rank, p, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int is_world = argc > 1 && strcmp(argv[1], "world") == 0;
  const int n = argc > 2 ? atoi(argv[2]) : 2;
  for (int i = 0; i < times; ++i) {
    MPI_Comm comm;
    if (is_world)
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
      MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    for (int k = 0; k < 4; ++k) {
      mine[0] = rank + i;
      mine[n - 1] = k;
      MPI_Allreduce(mine, sum, n, MPI_INT, MPI_SUM, comm);
      wrong |= sum[0] != p * (p - 1) / 2 + p * i || sum[n - 1] != p * k;
    }
    MPI_Comm_free(&comm);
  }
  if (wrong) printf("a sum is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
