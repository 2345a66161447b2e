/* A communicator that is made, used four times and freed, again and again. */

#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, p, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int i = 0; i < 2000; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    for (int k = 0; k < 4; ++k) {
      int mine[2] = {rank + i, k}, sum[2];
      MPI_Allreduce(mine, sum, 2, MPI_INT, MPI_SUM, comm);
      wrong |= sum[0] != p * (p - 1) / 2 + p * i || sum[1] != p * k;
    }
    MPI_Comm_free(&comm);
  }
  if (wrong) printf("a sum is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
