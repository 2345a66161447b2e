/* Rank 0 has nothing to send, and names no type for empty blocks, which MPICH takes. */

#include <mpi.h>
#include <stdio.h>

enum { calls = 100, most = 8 };

int main(int argc, char** argv) {
  int rank, p, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int in[most], out[most], sends[most], receives[most], places[most];
  MPI_Datatype types[most], no_types[most];
  for (int i = 0; i < p; ++i) {
    in[i] = 100 * rank + i;
    sends[i] = rank != 0;
    receives[i] = i != 0;
    places[i] = (int)sizeof(int) * i;
    types[i] = MPI_INT;
    no_types[i] = rank == 0 ? MPI_DATATYPE_NULL : MPI_INT;
  }
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < p; ++i) out[i] = -1;
    MPI_Alltoallw(in, sends, places, no_types, out, receives, places, types, MPI_COMM_WORLD);
    for (int i = 0; i < p; ++i) wrong |= out[i] != (i == 0 ? -1 : 100 * i + rank);
  }
  if (wrong) printf("a result is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
