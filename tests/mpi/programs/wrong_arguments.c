/* A wrong call of rank 0 under MPI's default handler, which must end the program; `too_long` is
 * rank 1's trouble.
 *
 *   wrong_arguments CASE */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int p, rank, a[100] = {0}, b[100] = {0};
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_size(world, &p);
  MPI_Comm_rank(world, &rank);
  const char* const name = argc > 1 ? argv[1] : "";
#define CASE(text, call) \
  if (rank == 0 && strcmp(name, text) == 0) call
  CASE("root", MPI_Bcast(a, 1, MPI_INT, p, world));
  CASE("count", MPI_Allgather(a, -1, MPI_INT, b, -1, MPI_INT, world));
  CASE("type", MPI_Alltoall(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_DATATYPE_NULL, world));
  CASE("count_to_reduce", MPI_Allreduce(a, b, -1, MPI_INT, MPI_SUM, world));
  CASE("operator", MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, world));
  CASE("operator_and_type", MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, world));
  CASE("communicator", MPI_Barrier(MPI_COMM_NULL));
  if (strcmp(name, "too_long") == 0) MPI_Bcast(a, rank == 0 ? 100 : 50, MPI_INT, 0, world);
  /* The others are still there when it ends. */
  MPI_Barrier(world);
  printf("%s: no error on rank %d\n", name, rank);
  MPI_Finalize();
  return 0;
}
