/* Ranks that come late: the last one of the world to ten allreduces, the root to ten bcasts; then
 * calls on communicators of several kinds. `late abort` and `late kill` end before MPI_Finalize.
 * `late often`: 1500 allreduces, a little late, and nothing else. */

#define _POSIX_C_SOURCE 199309L
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <time.h>

enum { rounds = 10, often = 1500, milliseconds = 40, few_milliseconds = 2 };

static void be_late(int am_late, long by) {
  const struct timespec time = {0, by * 1000000L};
  if (am_late) nanosleep(&time, NULL);
}

int main(int argc, char** argv) {
  int rank, p, value = 1, sum = 0;
  static double large[1 << 15];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int is_often = argc > 1 && strcmp(argv[1], "often") == 0;
  for (int i = 0; is_often && i < often; ++i) {
    be_late(rank == p - 1, few_milliseconds);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (is_often) return MPI_Finalize();
  for (int i = 0; i < rounds; ++i) {
    be_late(rank == p - 1, milliseconds);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  for (int i = 0; i < rounds; ++i) {
    be_late(rank == 1, milliseconds);
    MPI_Bcast(large, 1 << 15, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  }
  if (argc > 1 && rank == p - 1) {
    if (strcmp(argv[1], "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(argv[1], "kill") == 0) raise(SIGKILL);
  }
  MPI_Comm half, copy;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < rounds; ++i) MPI_Barrier(half);
  /* One after the other. */
  for (int i = 0; i < rounds; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Comm_free(&copy);
  }
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  /* Many calls, of which some are looked at. */
  for (int i = 0; i < 5000; ++i) MPI_Bcast(&value, 1, MPI_INT, i % p, MPI_COMM_WORLD);
  int counts[64], places[64], all[64];
  for (int i = 0; i < p; ++i) counts[i] = i == 0 ? 2 : 0, places[i] = 0;
  MPI_Gatherv(&value, rank == 0 ? 2 : 0, MPI_BYTE, all, counts, places, MPI_BYTE, 0,
              MPI_COMM_WORLD);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
