/* Communicators that ranks free before or after a call on another one, as destructors may where the
 * MPI does not mind. */

#include <mpi.h>
#include <stdio.h>

enum { times = 50, calls = 70 };

static int rank, p, wrong;

static void sum(MPI_Comm comm, int number) {
  int mine[2] = {rank + number, number}, all[2];
  MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, comm);
  wrong |= all[0] != p * (p - 1) / 2 + p * number || all[1] != p * number;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int i = 0; i < times; ++i) {
    MPI_Comm old, other, next;
    MPI_Comm_dup(MPI_COMM_WORLD, &old);
    for (int k = 0; k < calls; ++k) sum(old, k);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank % 2 == 0) MPI_Comm_free(&old);
    sum(other, i);
    MPI_Comm_dup(MPI_COMM_WORLD, &next);
    if (rank % 2 == 1) MPI_Comm_free(&old);
    sum(next, i);
    sum(other, i + 1);
    MPI_Comm_free(&next);
    MPI_Comm_free(&other);
  }
  if (wrong) printf("a sum is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
