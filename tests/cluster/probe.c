/* What a rank sees of the virtual cluster, one line per rank or transfer:
 *
 *   probe host      rank, host name, marks of all ranks in this node's /dev/shm
 *   probe transfer  seconds for 2 MB from rank 0 to 1, back, and from ranks 1 and 2 to rank 0
 *   probe shift     MB/s of each rank in a ring shift of 4 MB, in pieces of 32 KB, 8 in flight
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEGABYTE = 1000 * 1000, PIECE = 32 * 1024, IN_FLIGHT = 8 };

static int rank, size;

static void host(void) {
  char name[256] = "", path[64], line[4096];
  gethostname(name, sizeof name - 1);
  snprintf(path, sizeof path, "/dev/shm/mark-%d", rank);
  FILE* file = fopen(path, "w");
  if (file != NULL) fclose(file);
  MPI_Barrier(MPI_COMM_WORLD);
  int used = snprintf(line, sizeof line, "rank %d host %s marks", rank, name);
  for (int r = 0; r < size && used < 4000; r++) {
    snprintf(path, sizeof path, "/dev/shm/mark-%d", r);
    if (access(path, F_OK) == 0) used += snprintf(line + used, sizeof line - used, " %d", r);
  }
  printf("%s\n", line);
}

/* Sends 2 MB from each of the ranks first to last to rank `to`; rank 0 prints the seconds. */
static void transfer(const char* what, int first, int last, int to) {
  const int bytes = 2 * MEGABYTE;
  char* data = calloc(last - first + 1, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (rank == to) {
    MPI_Request requests[8];
    int n = 0;
    for (int from = first; from <= last; from++, n++)
      MPI_Irecv(data + (size_t)n * bytes, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, &requests[n]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  } else if (rank >= first && rank <= last) {
    MPI_Send(data, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%s %.6f\n", what, MPI_Wtime() - begin);
  free(data);
}

static void shift(void) {
  const int pieces = 4 * MEGABYTE / PIECE, repetitions = 4;
  int to = (rank + 1) % size, from = (rank + size - 1) % size;
  char* out = calloc(pieces, PIECE);
  char* in = calloc(pieces, PIECE);
  double begin = 0;
  for (int repetition = 0; repetition <= repetitions; repetition++) {
    if (repetition <= 1) MPI_Barrier(MPI_COMM_WORLD); /* the first one opens the connections */
    if (repetition == 1) begin = MPI_Wtime();
    MPI_Request requests[2 * IN_FLIGHT];
    for (int i = 0; i < 2 * IN_FLIGHT; i++) requests[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < pieces; i++) {
      MPI_Request* two = requests + i % IN_FLIGHT * 2;
      MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
      MPI_Irecv(in + (size_t)i * PIECE, PIECE, MPI_CHAR, from, 0, MPI_COMM_WORLD, &two[0]);
      MPI_Isend(out + (size_t)i * PIECE, PIECE, MPI_CHAR, to, 0, MPI_COMM_WORLD, &two[1]);
    }
    MPI_Waitall(2 * IN_FLIGHT, requests, MPI_STATUSES_IGNORE);
  }
  double seconds = MPI_Wtime() - begin;
  printf("rank %d %.1f MB/s\n", rank, 1.0 * repetitions * pieces * PIECE / seconds / MEGABYTE);
  free(out);
  free(in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* mode = argc > 1 ? argv[1] : "";
  int known = 1;
  if (strcmp(mode, "host") == 0) {
    host();
  } else if (strcmp(mode, "transfer") == 0 && size >= 3) {
    transfer("connect", 1, 2, 0);
    transfer("there", 0, 0, 1);
    transfer("back", 1, 1, 0);
    transfer("both", 1, 2, 0);
  } else if (strcmp(mode, "shift") == 0) {
    shift();
  } else {
    known = 0;
    if (rank == 0) fprintf(stderr, "probe: host, shift, or transfer with 3 ranks or more\n");
  }
  MPI_Finalize();
  return known ? 0 : 2;
}
