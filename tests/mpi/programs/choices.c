/* Calls that a profile's fields decide: of operators that cost differently, and of one that fills
   links. */

#include <mpi.h>
#include <stdio.h>

enum { few = 1024, many = 131072 };

int main(int argc, char** argv) {
  int rank, p, wrong = 0;
  static double in[many], out[many];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int i = 0; i < few; ++i) in[i] = rank + i;
  MPI_Allreduce(in, out, few, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < few; ++i) wrong |= out[i] != p * (p - 1) / 2.0 + p * (double)i;
  MPI_Allreduce(in, out, few, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < few; ++i) wrong |= out[i] != p - 1 + i;
  for (int i = 0; i < many; ++i) in[i] = rank == 0 ? i : -1;
  MPI_Bcast(in, many, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < many; ++i) wrong |= in[i] != i;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) puts(wrong ? "wrong" : "right");
  MPI_Finalize();
  return wrong;
}
