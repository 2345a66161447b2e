/* A plain counting wrapper, to hold against what Tutti records: MPI_X counts and calls PMPI_X. When
 * the program ends each rank writes COUNTS.RANK, a line for each function and size of communicator:
 * `allreduce 4 CALLS CALLS_AS_RANK_0`. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 4096 };
static struct {
  const char* name;
  int size;
  long calls, as_rank_0;
} counts[most];
static int used;

static void note_call(const char* name, MPI_Comm comm) {
  int size = 0, others = 0, rank = 0, inter = 0, i = 0;
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) PMPI_Comm_remote_size(comm, &others);
  size += others;
  while (i < used && (counts[i].size != size || strcmp(counts[i].name, name) != 0)) ++i;
  if (i == most) return;
  if (i == used) counts[used].name = name, counts[used++].size = size;
  ++counts[i].calls;
  counts[i].as_rank_0 += rank == 0;
}

#define UNWRAP(...) __VA_ARGS__
#define COUNTED(Function, label, parameters, arguments) \
  int MPI_##Function(UNWRAP parameters) {               \
    note_call(label, comm);                             \
    return PMPI_##Function(UNWRAP arguments);           \
  }
#define NONBLOCKING(name, suffix, parameters, arguments)                          \
  COUNTED(I##name##suffix, "i" #name, (UNWRAP parameters, MPI_Request * request), \
          (UNWRAP arguments, request))
#define PERSISTENT(Name, name, suffix, parameters, arguments)        \
  COUNTED(Name##_init##suffix, #name "_init",                        \
          (UNWRAP parameters, MPI_Info info, MPI_Request * request), \
          (UNWRAP arguments, info, request))

#define COUNT int
#define DISPL int
#define X(Name, name, parameters, arguments)  \
  COUNTED(Name, #name, parameters, arguments) \
  NONBLOCKING(name, , parameters, arguments)
#include "api/process/collectives.def"
#include "interpose/neighbours.def"
#undef X
#if MPI_VERSION >= 4
#define X(Name, name, parameters, arguments) PERSISTENT(Name, name, , parameters, arguments)
#include "api/process/collectives.def"
#include "interpose/neighbours.def"
#undef X
#undef COUNT
#undef DISPL
#define ONLY_WITH_COUNTS
#define COUNT MPI_Count
#define DISPL MPI_Aint
#define X(Name, name, parameters, arguments)      \
  COUNTED(Name##_c, #name, parameters, arguments) \
  NONBLOCKING(name, _c, parameters, arguments)    \
  PERSISTENT(Name, name, _c, parameters, arguments)
#include "api/process/collectives.def"
#include "interpose/neighbours.def"
#undef X
#endif

int MPI_Finalize(void) {
  const char* name = getenv("COUNTS");
  char path[4096];
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", name != NULL ? name : "counts", rank);
  FILE* file = fopen(path, "w");
  for (int i = 0; file != NULL && i < used; ++i)
    fprintf(file, "%s %d %ld %ld\n", counts[i].name, counts[i].size, counts[i].calls,
            counts[i].as_rank_0);
  if (file != NULL) fclose(file);
  return PMPI_Finalize();
}
