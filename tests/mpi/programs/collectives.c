/* All 17 blocking collectives of MPI from C, each checked. Exits with 1 if a result is wrong. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, p, wrong;

static void check(const char* collective, int holds) {
  if (holds) return;
  wrong = 1;
  printf("%s is wrong on rank %d\n", collective, rank);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &p);
  int* mine = malloc(sizeof(int) * p);
  int* all = malloc(sizeof(int) * p);
  int* ones = malloc(sizeof(int) * p);
  int* places = malloc(sizeof(int) * p);
  int* bytes = malloc(sizeof(int) * p);
  MPI_Datatype* types = malloc(sizeof(MPI_Datatype) * p);
  const int root = p - 1, total = p * (p - 1) / 2;
  for (int i = 0; i < p; ++i) {
    ones[i] = 1;
    places[i] = i;
    bytes[i] = i * (int)sizeof(int);
    types[i] = MPI_INT;
  }
/* Element i of what this rank sends, and a fresh place for what it gets. */
#define PREPARE() \
  for (int i = 0; i < p; ++i) mine[i] = 100 * rank + i, all[i] = -1
#define CHECK_ALL(collective, expected) \
  for (int i = 0; i < p; ++i) check(collective, all[i] == (expected))
  int one = -1;

  MPI_Barrier(world);

  one = rank == root ? 42 : -1;
  MPI_Bcast(&one, 1, MPI_INT, root, world);
  check("bcast", one == 42);

  PREPARE();
  MPI_Scatter(mine, 1, MPI_INT, &one, 1, MPI_INT, root, world);
  check("scatter", one == 100 * root + rank);
  one = -1;
  MPI_Scatterv(mine, ones, places, MPI_INT, &one, 1, MPI_INT, root, world);
  check("scatterv", one == 100 * root + rank);

  PREPARE();
  MPI_Gather(mine, 1, MPI_INT, all, 1, MPI_INT, root, world);
  if (rank == root) CHECK_ALL("gather", 100 * i);
  PREPARE();
  MPI_Gatherv(mine, 1, MPI_INT, all, ones, places, MPI_INT, root, world);
  if (rank == root) CHECK_ALL("gatherv", 100 * i);
  PREPARE();
  MPI_Allgather(mine, 1, MPI_INT, all, 1, MPI_INT, world);
  CHECK_ALL("allgather", 100 * i);
  PREPARE();
  all[rank] = mine[0];
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, world);
  CHECK_ALL("allgather in place", 100 * i);
  PREPARE();
  MPI_Allgatherv(mine, 1, MPI_INT, all, ones, places, MPI_INT, world);
  CHECK_ALL("allgatherv", 100 * i);

  PREPARE();
  MPI_Reduce(mine, all, p, MPI_INT, MPI_SUM, root, world);
  if (rank == root) CHECK_ALL("reduce", 100 * total + p * i);
  PREPARE();
  MPI_Allreduce(mine, all, p, MPI_INT, MPI_SUM, world);
  CHECK_ALL("allreduce", 100 * total + p * i);
  PREPARE();
  MPI_Allreduce(MPI_IN_PLACE, mine, p, MPI_INT, MPI_MAX, world);
  for (int i = 0; i < p; ++i) check("allreduce in place", mine[i] == 100 * (p - 1) + i);
  PREPARE();
  MPI_Reduce_scatter(mine, &one, ones, MPI_INT, MPI_SUM, world);
  check("reduce_scatter", one == 100 * total + p * rank);
  one = -1;
  MPI_Reduce_scatter_block(mine, &one, 1, MPI_INT, MPI_SUM, world);
  check("reduce_scatter_block", one == 100 * total + p * rank);

  PREPARE();
  MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, world);
  CHECK_ALL("alltoall", 100 * i + rank);
  PREPARE();
  MPI_Alltoallv(mine, ones, places, MPI_INT, all, ones, places, MPI_INT, world);
  CHECK_ALL("alltoallv", 100 * i + rank);
  PREPARE();
  MPI_Alltoallw(mine, ones, bytes, types, all, ones, bytes, types, world);
  CHECK_ALL("alltoallw", 100 * i + rank);

  PREPARE();
  MPI_Scan(mine, all, p, MPI_INT, MPI_SUM, world);
  CHECK_ALL("scan", 100 * rank * (rank + 1) / 2 + (rank + 1) * i);
  PREPARE();
  MPI_Exscan(mine, all, p, MPI_INT, MPI_SUM, world);
  CHECK_ALL("exscan", rank == 0 ? -1 : 100 * rank * (rank - 1) / 2 + rank * i);

  free(mine);
  free(all);
  free(ones);
  free(places);
  free(bytes);
  free(types);
  MPI_Finalize();
  return wrong;
}
