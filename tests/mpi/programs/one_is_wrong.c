/* Calls in which the last rank does not do what the others do. Each rank prints what error it got:
 * `CASE on rank R: TEXT`. Between the cases a right call, which must work. With the word `fatal`
 * errors are not returned, and the first case ends the program. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most = 64 };

static int rank, p, is_wrong;
static int a[most], b[most], counts[most], other[most], places[most], bytes[most];
static MPI_Datatype types[most];
static const MPI_Comm world = MPI_COMM_WORLD;

static void show(const char* name, int code) {
  char text[MPI_MAX_ERROR_STRING] = "no error";
  int length, sum = 0;
  if (code != MPI_SUCCESS) MPI_Error_string(code, text, &length);
  printf("%s on rank %d: %s\n", name, rank, text);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  if (sum != p * (p - 1) / 2) printf("allreduce is wrong on rank %d\n", rank);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &p);
  if (p < 2 || p > most / 2) {
    fprintf(stderr, "one_is_wrong: run with 2 to %d ranks\n", most / 2);
    MPI_Abort(world, 2);
  }
  if (argc < 2 || strcmp(argv[1], "fatal") != 0) MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
  is_wrong = rank == p - 1;
  for (int i = 0; i < p; ++i) {
    counts[i] = other[i] = 1;
    places[i] = 2 * i;
    bytes[i] = places[i] * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  /* The same in all, but another list. */
  other[0] = 2, other[1] = 0;
  const int two = is_wrong ? 2 : 1;

  show("collective",
       is_wrong ? MPI_Barrier(world) : MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, world));
  show("root", MPI_Bcast(a, 1, MPI_INT, is_wrong ? 1 : 0, world));
  show("operator", MPI_Allreduce(a, b, 1, MPI_INT, is_wrong ? MPI_MAX : MPI_SUM, world));
  show("bcast size", MPI_Bcast(a, two, MPI_INT, 0, world));
  show("allreduce size", MPI_Allreduce(a, b, two, MPI_INT, MPI_SUM, world));
  show("alltoall size", MPI_Alltoall(a, two, MPI_INT, b, two, MPI_INT, world));
  show("allgatherv counts",
       MPI_Allgatherv(a, 1, MPI_INT, b, is_wrong ? other : counts, places, MPI_INT, world));
  show("reduce_scatter counts",
       MPI_Reduce_scatter(a, b, is_wrong ? other : counts, MPI_INT, MPI_SUM, world));
  show("scatterv pair", MPI_Scatterv(a, counts, places, MPI_INT, b, two, MPI_INT, 0, world));
  show("gatherv pair", MPI_Gatherv(a, two, MPI_INT, b, counts, places, MPI_INT, 0, world));
  /* It sends two to rank 0, and none to rank 1. */
  show("alltoallv pair", MPI_Alltoallv(a, is_wrong ? other : counts, places, MPI_INT, b, counts,
                                       places, MPI_INT, world));
  show("alltoallw pair",
       MPI_Alltoallw(a, is_wrong ? other : counts, bytes, types, b, counts, bytes, types, world));
  show("argument", MPI_Bcast(a, is_wrong ? -1 : 1, MPI_INT, 0, world));
  MPI_Finalize();
  return 0;
}
