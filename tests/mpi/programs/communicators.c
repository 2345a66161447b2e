/* Six communicators alive at a time, an allreduce on each; then four, when those are freed. */

#include <mpi.h>
#include <stdio.h>

enum { most = 6 };
static int wrong;

static void use(MPI_Comm* comms, int number) {
  for (int i = 0; i < number; ++i) {
    int rank, p, sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    MPI_Comm_rank(comms[i], &rank);
    MPI_Comm_size(comms[i], &p);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
    if (sum == p * (p - 1) / 2) continue;
    wrong = 1;
    printf("allreduce is wrong on rank %d\n", rank);
  }
  for (int i = 0; i < number; ++i) MPI_Comm_free(&comms[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comms[most];
  use(comms, most);
  use(comms, 4);
  MPI_Finalize();
  return wrong;
}
