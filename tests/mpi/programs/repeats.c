/* Calls that are repeated until algorithms that take turns have all had theirs, each result
   checked. Says whether sums of doubles were the same to the last bit in all calls. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { calls = 1500, most = 1000 };

int main(int argc, char** argv) {
  int rank, p, wrong = 0, differ = 0;
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &p);
  int* in = malloc(sizeof(int) * most * p);
  int* out = malloc(sizeof(int) * most * p);
  static double a[most], b[most], first[most];
  for (int i = 0; i < most; ++i) a[i] = 1.0 / (3 + 7 * rank + i);
  for (int call = 0; call < calls; ++call) {
    const int n = 3 + call % 2; /* two sizes of one class: 9 to 16 bytes */
    for (int i = 0; i < n; ++i) in[i] = rank + call + i;
    MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, world);
    for (int i = 0; i < n; ++i) wrong |= out[i] != p * (p - 1) / 2 + p * (call + i);

    MPI_Allreduce(a, b, most, MPI_DOUBLE, MPI_SUM, world);
    if (call == 0) memcpy(first, b, sizeof b);
    differ |= memcmp(first, b, sizeof b) != 0;
    wrong |= b[0] < 0.9 * first[0] || b[most - 1] < 0.9 * first[most - 1];

    const int root = call % p;
    for (int i = 0; i < most; ++i) in[i] = rank == root ? call + i : -1;
    MPI_Bcast(in, most, MPI_INT, root, world);
    for (int i = 0; i < most; ++i) wrong |= in[i] != call + i;

    for (int i = 0; i < p; ++i) in[i] = 1000 * rank + i + call;
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, world);
    for (int i = 0; i < p; ++i) wrong |= out[i] != 1000 * i + rank + call;
    MPI_Barrier(world);
  }
  free(in);
  free(out);
  if (wrong) printf("a result is wrong on rank %d\n", rank);
  if (differ) printf("sums differ on rank %d\n", rank);
  MPI_Finalize();
  return wrong;
}
