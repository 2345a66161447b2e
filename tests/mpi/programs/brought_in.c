/* Rank 0 alone spawns a process, and brings rank 1 into a communicator with it: rank 1 has met
   nobody itself. Run on two ranks. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { calls = 100 };

static MPI_Comm bring_in(MPI_Comm pair, MPI_Comm peers, int other, int high) {
  MPI_Comm between, all;
  MPI_Intercomm_create(pair, 0, peers, other, 7, &between);
  MPI_Intercomm_merge(between, high, &all);
  MPI_Comm_free(&between);
  return all;
}

int main(int argc, char** argv) {
  MPI_Comm parent, pair, all;
  int rank, p, wrong = 0;
  (void)argc;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (parent != MPI_COMM_NULL) {
    MPI_Intercomm_merge(parent, 1, &pair);
    all = bring_in(pair, MPI_COMM_NULL, 0, 0);
    MPI_Comm_free(&pair);
  } else if (rank == 0) {
    /* What is loaded before the program is not handed on by every launcher. */
    const char* const preload = getenv("LD_PRELOAD");
    char loaded[4096];
    snprintf(loaded, sizeof loaded, "LD_PRELOAD=%s", preload != NULL ? preload : "");
    char* words[] = {loaded, argv[0], NULL};
    MPI_Comm child;
    MPI_Comm_spawn("env", words, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(child, 0, &pair);
    all = bring_in(pair, MPI_COMM_WORLD, 1, 0);
    MPI_Comm_free(&pair);
  } else {
    all = bring_in(MPI_COMM_SELF, MPI_COMM_WORLD, 0, 1);
  }
  MPI_Comm_size(all, &p);
  for (int call = 0; call < calls; ++call) {
    const int one = 1 + call;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
    wrong |= sum != 3 * one || p != 3;
  }
  MPI_Barrier(all);
  if (wrong) printf("a result is wrong on rank %d\n", rank);
  if (rank == 1) printf("all have met\n");
  MPI_Comm_free(&all);
  MPI_Finalize();
  return wrong;
}
