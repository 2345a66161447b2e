/* Rank 1 may read its neighbours' memory at the first collective, and not any more at the second:
 * its call ends in an error that names the remedy; a third, of few bytes, is right. */
#define _GNU_SOURCE
#include "forbid.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

int main(int argc, char** argv) {
  const int count = 3 << 19; /* bytes for each rank: they stay in their sender's memory */
  int rank = 0, sum = 0, one = 1, p = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  char* data = calloc((size_t)count * (size_t)p, 1);
  char* received = malloc((size_t)count * (size_t)p);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1 && forbid(SYS_process_vm_readv) != 0) {
    perror("seccomp");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int error = MPI_Alltoall(data, count, MPI_BYTE, received, count, MPI_BYTE, MPI_COMM_WORLD);
  if (rank == 1) {
    char text[MPI_MAX_ERROR_STRING] = "no error";
    int length = 0;
    if (error != MPI_SUCCESS) MPI_Error_string(error, text, &length);
    printf("%s\n", text);
  }
  if (MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS || sum != p)
    printf("wrong: rank %d: %d\n", rank, sum);
  free(data);
  free(received);
  MPI_Finalize();
  return 0;
}
