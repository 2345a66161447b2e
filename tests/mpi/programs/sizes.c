/* Every collective at a few sizes in all, once each: blocks are equal, sums are of doubles. Words
   change that: `own` has an operator of the program's that does not commute, `broadcast` one rank
   with all of the blocks that all ranks know, `less` first calls of fewer bytes, `many` none of so
   few that ranks would have nothing. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most = 1 << 20, most_ranks = 72 };

static char in[most], out[most];

static MPI_Op op;
static int one_has_all = 0, less_first = 0, first_size = 0;

/* The left one: its order matters. */
static void left(void* a, void* b, int* count, MPI_Datatype* type) {
  (void)type;
  memcpy(b, a, (size_t)*count * sizeof(double));
}

static void with_sizes(int n, int p) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int block = n / p, doubles = n / (int)sizeof(double);
  int counts[most_ranks], places[most_ranks], parts[most_ranks];
  for (int i = 0; i < p; ++i) {
    counts[i] = !one_has_all ? block : i == 0 ? n : 0;
    places[i] = i == 0 ? 0 : places[i - 1] + counts[i - 1];
    parts[i] = !one_has_all ? doubles / p : i == 0 ? doubles : 0;
  }
  MPI_Bcast(in, n, MPI_CHAR, 0, world);
  MPI_Scatter(in, block, MPI_CHAR, out, block, MPI_CHAR, 0, world);
  MPI_Gather(in, block, MPI_CHAR, out, block, MPI_CHAR, 0, world);
  MPI_Allgather(in, block, MPI_CHAR, out, block, MPI_CHAR, world);
  int rank;
  MPI_Comm_rank(world, &rank);
  MPI_Allgatherv(in, counts[rank], MPI_CHAR, out, counts, places, MPI_CHAR, world);
  MPI_Alltoall(in, block, MPI_CHAR, out, block, MPI_CHAR, world);
  MPI_Reduce(in, out, doubles, MPI_DOUBLE, op, 0, world);
  MPI_Allreduce(in, out, doubles, MPI_DOUBLE, op, world);
  MPI_Reduce_scatter(in, out, parts, MPI_DOUBLE, op, world);
  MPI_Reduce_scatter_block(in, out, doubles / p, MPI_DOUBLE, op, world);
  MPI_Scan(in, out, doubles, MPI_DOUBLE, op, world);
  MPI_Exscan(in, out, doubles, MPI_DOUBLE, op, world);
}

static void without_sizes(int p) {
  const MPI_Comm world = MPI_COMM_WORLD;
  int counts[most_ranks], places[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int i = 0; i < p; ++i) {
    counts[i] = 1;
    places[i] = i;
    types[i] = MPI_CHAR;
  }
  MPI_Barrier(world);
  MPI_Scatterv(in, counts, places, MPI_CHAR, out, 1, MPI_CHAR, 0, world);
  MPI_Gatherv(in, 1, MPI_CHAR, out, counts, places, MPI_CHAR, 0, world);
  MPI_Alltoallv(in, counts, places, MPI_CHAR, out, counts, places, MPI_CHAR, world);
  MPI_Alltoallw(in, counts, places, types, out, counts, places, types, world);
}

int main(int argc, char** argv) {
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (p > most_ranks) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Op own;
  op = MPI_SUM;
  MPI_Op_create(left, 0, &own);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "own") == 0) op = own;
    if (strcmp(argv[i], "broadcast") == 0) one_has_all = 1;
    if (strcmp(argv[i], "less") == 0) less_first = 1;
    if (strcmp(argv[i], "many") == 0) first_size = 1;
  }
  static const int sizes[] = {64, 4096, 65536, most};
  for (int i = first_size; i < 4; ++i) {
    if (less_first && i > 0) with_sizes(sizes[i] / 8 * 5, p);
    with_sizes(sizes[i], p);
  }
  without_sizes(p);
  MPI_Op_free(&own);
  if (rank == 0) puts("done");
  MPI_Finalize();
  return 0;
}
