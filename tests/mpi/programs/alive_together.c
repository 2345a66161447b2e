/* Calls on a communicator of two ranks, and then on another of two that live alike, while the first
   one is alive. Of three ranks, the other's first rank is none of the first one's. */

#include <mpi.h>
#include <stdio.h>

enum { calls = 4000, most = 1000 };

static int wrong;

static void call_all(MPI_Comm comm) {
  static int in[most], out[most];
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < 4; ++i) in[i] = rank + call + i;
    MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < 4; ++i) wrong |= out[i] != 1 + 2 * (call + i);
    for (int i = 0; i < most; ++i) in[i] = rank == call % 2 ? call + i : -1;
    MPI_Bcast(in, most, MPI_INT, call % 2, comm);
    for (int i = 0; i < most; ++i) wrong |= in[i] != call + i;
    for (int i = 0; i < 2; ++i) in[i] = 1000 * rank + i + call;
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
    for (int i = 0; i < 2; ++i) wrong |= out[i] != 1000 * i + rank + call;
    MPI_Barrier(comm);
  }
}

int main(int argc, char** argv) {
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm first, next;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &first);
  if (first != MPI_COMM_NULL) {
    MPI_Comm_set_name(first, "first");
    call_all(first);
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == p - 1 ? 0 : MPI_UNDEFINED, -rank, &next);
  if (next != MPI_COMM_NULL) {
    MPI_Comm_set_name(next, "next");
    call_all(next);
    MPI_Comm_free(&next);
  }
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  if (wrong) printf("a result is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
