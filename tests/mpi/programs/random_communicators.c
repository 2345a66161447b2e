/* Communicators that are made of each other, used and freed at random: duplicates, halves, rows of
   grids and groups. Every result is checked. All ranks draw the same numbers; who is not in a
   communicator leaves out what is done on it. Arguments: steps, seed. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 8, most_ranks = 64, most_count = 4096 };

static unsigned long long state;
static int draw(int below) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned long long)below);
}

static int wrong;
static void expect(int right, const char* what) {
  if (right) return;
  wrong = 1;
  printf("%s is wrong\n", what);
}

/* Not all ranks may know `from`: who does not draws as many numbers. */
static MPI_Comm make(MPI_Comm from) {
  const int kind = draw(4), colour = draw(2), reversed = draw(2);
  MPI_Comm made = MPI_COMM_NULL;
  if (from == MPI_COMM_NULL) return made;
  int rank, p;
  MPI_Comm_rank(from, &rank);
  MPI_Comm_size(from, &p);
  if (kind == 0) {
    MPI_Comm_dup(from, &made);
  } else if (kind == 1) {
    MPI_Comm_split(from, rank % 2 == colour ? 0 : MPI_UNDEFINED, reversed ? -rank : rank, &made);
  } else if (kind == 2) {
    MPI_Comm grid;
    int dims[2] = {0, 0};
    const int periods[2] = {0, 0}, keep[2] = {colour, !colour};
    MPI_Dims_create(p, 2, dims);
    MPI_Cart_create(from, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &made);
    MPI_Comm_free(&grid);
  } else {
    MPI_Group all, some;
    const int last = p > 1 ? p / 2 : 0, range[1][3] = {{0, last, 1}};
    MPI_Comm_group(from, &all);
    MPI_Group_range_incl(all, 1, (int(*)[3])range, &some);
    if (rank <= last) MPI_Comm_create_group(from, some, 7, &made);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
  }
  return made;
}

static int in[most_ranks * most_count], out[most_ranks * most_count];

static void use(MPI_Comm comm, int step) {
  static const int counts[] = {1, 2, 100, most_count};
  const int kind = draw(6), n = counts[draw(4)], root_drawn = draw(most_ranks);
  if (comm == MPI_COMM_NULL) return;
  int rank, p;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &p);
  const int root = root_drawn % p, sum = p * (p - 1) / 2;
  for (int i = 0; i < n; ++i) in[i] = rank + step + i;
  switch (kind) {
    case 0: MPI_Barrier(comm); break;
    case 1:
      MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
      expect(out[0] == sum + p * step && out[n - 1] == sum + p * (step + n - 1), "an allreduce");
      break;
    case 2:
      MPI_Bcast(in, n, MPI_INT, root, comm);
      expect(in[0] == root + step && in[n - 1] == root + step + n - 1, "a broadcast");
      break;
    case 3:
      MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
      for (int r = 0; r < p; ++r) expect(out[r * n] == r + step, "an allgather");
      break;
    case 4:
      for (int i = 0; i < n * p; ++i) in[i] = 1000 * rank + i / n + step;
      MPI_Alltoall(in, n, MPI_INT, out, n, MPI_INT, comm);
      for (int r = 0; r < p; ++r) expect(out[r * n] == 1000 * r + rank + step, "an alltoall");
      break;
    default:
      MPI_Scan(in, out, n, MPI_INT, MPI_SUM, comm);
      expect(out[0] == rank * (rank + 1) / 2 + (rank + 1) * step, "a scan");
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int steps = argc > 1 ? atoi(argv[1]) : 2000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  /* Ranks differ in whether a place holds a communicator of theirs, not in which places are taken.
   */
  MPI_Comm alive[most] = {MPI_COMM_WORLD};
  int taken[most] = {1};
  for (int step = 0; step < steps; ++step) {
    const int at = draw(most), from = draw(most), what = draw(10);
    if (!taken[at] && taken[from]) {
      alive[at] = make(alive[from]);
      taken[at] = 1;
    } else if (taken[at] && at > 0 && what == 0) {
      if (alive[at] != MPI_COMM_NULL) MPI_Comm_free(&alive[at]);
      alive[at] = MPI_COMM_NULL;
      taken[at] = 0;
    } else if (taken[at]) {
      use(alive[at], step % 1000);
    }
  }
  for (int i = 1; i < most; ++i)
    if (taken[i] && alive[i] != MPI_COMM_NULL) MPI_Comm_free(&alive[i]);
  MPI_Finalize();
  return wrong;
}
