/* The collectives in the forms that MPI has besides the blocking one: nonblocking, persistent, with
 * large counts, of neighbours, between two groups. Each is called once and checked. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 };

static int rank, p, root, total, left, wrong;
static int one, mine[most], all[most], ones[most], places[most], bytes[most];
static MPI_Aint addresses[most];
static MPI_Datatype types[most];
static MPI_Comm world = MPI_COMM_WORLD, ring;

static void check(const char* collective, int holds) {
  if (holds) return;
  wrong = 1;
  printf("%s is wrong on rank %d\n", collective, rank);
}

#define PREPARE() \
  one = -1;       \
  for (int i = 0; i < p; ++i) mine[i] = 100 * rank + i, all[i] = -1
#define CHECK_ALL(collective, expected) \
  for (int i = 0; i < p; ++i) check(collective, all[i] == (expected))

static void end(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

#define ONES ones
#define PLACES places
#define BYTES bytes
#define BARRIER

static void nonblocking(void) {
  MPI_Request request;
#define CALL(Name, name, ...) MPI_I##name(__VA_ARGS__, &request), end(&request)
#include "each_collective.h"
#include "each_neighbour.h"
#undef CALL
}

static void neighbours(void) {
#define CALL(Name, name, ...) MPI_##Name(__VA_ARGS__)
#include "each_neighbour.h"
#undef CALL
}

#if MPI_VERSION >= 4

/* A persistent one is started twice. */
static void run_twice(MPI_Request* request) {
  for (int k = 0; k < 2; ++k) {
    MPI_Start(request);
    end(request);
  }
  MPI_Request_free(request);
}

static void persistent(void) {
  MPI_Request request;
#define CALL(Name, name, ...) \
  MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request), run_twice(&request)
#include "each_collective.h"
#include "each_neighbour.h"
#undef CALL
}

#undef ONES
#undef PLACES
#undef BYTES
#undef BARRIER
#define ONES many_ones
#define PLACES far_places
#define BYTES addresses

static MPI_Count many_ones[most];
static MPI_Aint far_places[most];

static void with_large_counts(void) {
  for (int i = 0; i < p; ++i) many_ones[i] = 1, far_places[i] = i;
  MPI_Request request;
#define CALL(Name, name, ...) MPI_##Name##_c(__VA_ARGS__)
#include "each_collective.h"
#include "each_neighbour.h"
#undef CALL
#define CALL(Name, name, ...) MPI_I##name##_c(__VA_ARGS__, &request), end(&request)
#include "each_collective.h"
#include "each_neighbour.h"
#undef CALL
#define CALL(Name, name, ...) \
  MPI_##Name##_init_c(__VA_ARGS__, MPI_INFO_NULL, &request), run_twice(&request)
#include "each_collective.h"
#include "each_neighbour.h"
#undef CALL
}

#endif

/* The lower half of the ranks on one side, the upper half on the other. */
static void between_two_groups(void) {
  const int low = rank < p / 2, others = low ? p - p / 2 : p / 2;
  MPI_Comm half, inter;
  MPI_Comm_split(world, low, rank, &half);
  MPI_Intercomm_create(half, 0, world, low ? p / 2 : 0, 0, &inter);
  MPI_Barrier(inter);
  PREPARE();
  MPI_Allgather(mine, 1, MPI_INT, all, 1, MPI_INT, inter);
  for (int i = 0; i < others; ++i) check("allgather", all[i] == 100 * ((low ? p / 2 : 0) + i));
  one = 1;
  MPI_Allreduce(&one, all, 1, MPI_INT, MPI_SUM, inter);
  check("allreduce", all[0] == others);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &p);
  if (p < 2 || p > most) {
    fprintf(stderr, "forms: run with 2 to %d ranks\n", most);
    MPI_Abort(world, 2);
  }
  root = p - 1, total = p * (p - 1) / 2, left = (rank + p - 1) % p;
  for (int i = 0; i < p; ++i) {
    ones[i] = 1;
    places[i] = i;
    bytes[i] = i * (int)sizeof(int);
    addresses[i] = bytes[i];
    types[i] = MPI_INT;
  }
  int right = (rank + 1) % p;
  MPI_Dist_graph_create_adjacent(world, 1, &left, ones, 1, &right, ones, MPI_INFO_NULL, 0, &ring);
  nonblocking();
  neighbours();
#if MPI_VERSION >= 4
  persistent();
  with_large_counts();
#endif
  between_two_groups();
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return wrong;
}
