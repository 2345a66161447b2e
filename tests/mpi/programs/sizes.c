/* Every collective at a few sizes in all, once each: blocks are equal, sums are of doubles. */

#include <mpi.h>
#include <stdio.h>

enum { most = 1 << 20, most_ranks = 64 };

static char in[most], out[most];

static void with_sizes(int n, int p) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const int block = n / p, doubles = n / (int)sizeof(double);
  int counts[most_ranks], places[most_ranks], parts[most_ranks];
  for (int i = 0; i < p; ++i) {
    counts[i] = block;
    places[i] = i * block;
    parts[i] = doubles / p;
  }
  MPI_Bcast(in, n, MPI_CHAR, 0, world);
  MPI_Scatter(in, block, MPI_CHAR, out, block, MPI_CHAR, 0, world);
  MPI_Gather(in, block, MPI_CHAR, out, block, MPI_CHAR, 0, world);
  MPI_Allgather(in, block, MPI_CHAR, out, block, MPI_CHAR, world);
  MPI_Allgatherv(in, block, MPI_CHAR, out, counts, places, MPI_CHAR, world);
  MPI_Alltoall(in, block, MPI_CHAR, out, block, MPI_CHAR, world);
  MPI_Reduce(in, out, doubles, MPI_DOUBLE, MPI_SUM, 0, world);
  MPI_Allreduce(in, out, doubles, MPI_DOUBLE, MPI_SUM, world);
  MPI_Reduce_scatter(in, out, parts, MPI_DOUBLE, MPI_SUM, world);
  MPI_Reduce_scatter_block(in, out, doubles / p, MPI_DOUBLE, MPI_SUM, world);
  MPI_Scan(in, out, doubles, MPI_DOUBLE, MPI_SUM, world);
  MPI_Exscan(in, out, doubles, MPI_DOUBLE, MPI_SUM, world);
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
  static const int sizes[] = {64, 4096, 65536, most};
  for (int i = 0; i < 4; ++i) with_sizes(sizes[i], p);
  without_sizes(p);
  if (rank == 0) puts("done");
  MPI_Finalize();
  return 0;
}
