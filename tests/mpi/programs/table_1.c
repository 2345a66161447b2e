/* The calls of Mitra et al. 1995, Table 1, side by side in one program: a broadcast and a sum to
 * all by iCC, by NX, by MPI and by the BLACS. Exit code 0: all agree, and iCC's go through Tutti.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/icc.h>
#include <tutti/tutti.h>

#define N 5000

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* layout, int rows, int columns);
void Cblacs_gridexit(int context);
void Cdgebs2d(int context, const char* scope, const char* top, int m, int n, double* a, int lda);
void Cdgebr2d(int context, const char* scope, const char* top, int m, int n, double* a, int lda,
              int row, int column);
void Cdgsum2d(int context, const char* scope, const char* top, int m, int n, double* a, int lda,
              int row, int column);

static int rank, p, failed;

static void check(const char* what, const double x[N], const double expected[N]) {
  int i;
  for (i = 0; i < N; ++i)
    if (x[i] != expected[i]) {
      printf("rank %d: %s is wrong at %d: %g, not %g\n", rank, what, i, x[i], expected[i]);
      failed = 1;
      return;
    }
}

static void calls(const char* collective, const char* algorithm, unsigned long long expected) {
  unsigned long long number = 0;
  if (tutti_count(collective, algorithm, &number) != MPI_SUCCESS || number != expected) {
    printf("rank %d: %llu calls of %s/%s, not %llu: this is wrong\n", rank, number, collective,
           algorithm, expected);
    failed = 1;
  }
}

int main(int argc, char** argv) {
  static double x[N], work[N], from_root[N], sum[N];
  int i, context;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (i = 0; i < N; ++i) {
    from_root[i] = i + 0.5;
    sum[i] = p * (p - 1) / 2 + p * i;
  }
#define MINE(of_root, of_others) \
  for (i = 0; i < N; ++i) x[i] = rank == 0 ? (of_root) : (of_others)

  tutti_force("bcast", "binomial");
  MINE(i + 0.5, -1);
  iCC_bcast(x, sizeof x, 0);
  check("iCC_bcast", x, from_root);
  if (p > 1) calls("bcast", "binomial", 1);

  MINE(i + 0.5, -1);
  if (mynode() == 0)
    csend(10, x, sizeof x, -1, 0);
  else
    crecv(10, x, sizeof x);
  check("csend to -1", x, from_root);

  MINE(i + 0.5, -1);
  MPI_Bcast(x, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  check("MPI_Bcast", x, from_root);

  tutti_force("allreduce", "ring");
  MINE(i, rank + i);
  iCC_gdsum(x, N, work);
  check("iCC_gdsum", x, sum);
  MINE(i, rank + i);
  gdsum(x, N, work);
  check("gdsum", x, sum);
  if (p > 1) calls("allreduce", "ring", 2);

  MINE(i, rank + i);
  MPI_Allreduce(x, work, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  check("MPI_Allreduce", work, sum);

  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, p);
  MINE(i + 0.5, -1);
  if (rank == 0)
    Cdgebs2d(context, "All", " ", N, 1, x, N);
  else
    Cdgebr2d(context, "All", " ", N, 1, x, N, 0, 0);
  check("dgebs2d", x, from_root);
  MINE(i, rank + i);
  Cdgsum2d(context, "All", " ", N, 1, x, N, -1, -1);
  check("dgsum2d", x, sum);
  Cblacs_gridexit(context);
  MPI_Finalize();
  return failed;
}
