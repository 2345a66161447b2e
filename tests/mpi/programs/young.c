/* Calls of a few classes, 200 times each, with other buffers and types on every rank: whatever
   ranks do otherwise must not let them count otherwise. Meanwhile communicators are made, used and
   freed. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { calls = 200, large = 1 << 20 };

static int wrong;

static void expect(int right, const char* what) {
  if (right) return;
  wrong = 1;
  printf("%s is wrong\n", what);
}

static void on_halves(int rank, int round) {
  MPI_Comm half;
  int mine = rank + round, all = 0, p;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_size(half, &p);
  MPI_Allgather(&mine, 1, MPI_INT, (int[64]){0}, 1, MPI_INT, half);
  MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_MAX, 0, half);
  MPI_Bcast(&all, 1, MPI_INT, 0, half);
  expect(all == rank % 2 + 2 * (p - 1) + round, "a reduce on half of the ranks");
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  int rank, p;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  char* const block = malloc(large + 64);
  for (int i = 0; i < calls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    /* Every rank's addresses change in a rhythm of its own, and some are in place. */
    int in[64], out[64], *const at = in + (i % (rank + 1)) * 2, *const to = out + i % (rank + 2);
    at[0] = rank + i;
    at[1] = 1;
    if (rank % 2 == 0) {
      MPI_Allreduce(at, to, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      expect(to[0] == p * (p - 1) / 2 + p * i && to[1] == p, "an allreduce");
    } else {
      MPI_Allreduce(MPI_IN_PLACE, at, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      expect(at[0] == p * (p - 1) / 2 + p * i && at[1] == p, "an allreduce in place");
    }
    if (i % 20 == 0) {
      const int root = i / 20 % p;
      char* const data = block + (rank == root ? 0 : 8 * (i / 20 % 4));
      data[0] = data[large - 1] = (char)(rank == root ? i : -1);
      if (rank % 2)
        MPI_Bcast(data, large, MPI_BYTE, root, MPI_COMM_WORLD);
      else
        MPI_Bcast(data, large / 8, pair, root, MPI_COMM_WORLD);
      expect(data[0] == (char)i && data[large - 1] == (char)i, "a broadcast");
    }
    if (i % 10 == 0) on_halves(rank, i);
  }
  free(block);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return wrong;
}
