/* An allreduce whose operator does not commute: it keeps the left one, so that the result is rank
 * 0's. Three calls. With the word `return` errors are returned and printed. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 100 };

static void keep_left(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  memcpy(inout, in, sizeof(int) * (size_t)*length);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, wrong = 0, mine[count], result[count];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1 && strcmp(argv[1], "return") == 0)
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Op op;
  MPI_Op_create(keep_left, 0, &op);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < count; ++i) mine[i] = 1000 * rank + i, result[i] = -1;
    const int code = MPI_Allreduce(mine, result, count, MPI_INT, op, MPI_COMM_WORLD);
    if (code != MPI_SUCCESS) {
      char text[MPI_MAX_ERROR_STRING];
      int length;
      MPI_Error_string(code, text, &length);
      printf("rank %d: %s\n", rank, text);
      continue;
    }
    for (int i = 0; i < count; ++i) wrong |= result[i] != i;
  }
  MPI_Op_free(&op);
  if (wrong) printf("allreduce is wrong on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
