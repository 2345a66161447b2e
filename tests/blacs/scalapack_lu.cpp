// ScaLAPACK's LU of a random matrix, n = N, on a grid of ROWS x COLUMNS. Each process writes its
// part of the factors and the pivots to PREFIX.RANK; process 0 prints the least seconds of REPEATS.
//
//   scalapack_lu PREFIX ROWS COLUMNS N BLOCK REPEATS

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "blacs.hpp"

extern "C" {
int numroc_(const int* n, const int* block, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* first_row, const int* first_column, const int* context, const int* lda,
               int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* ia, const int* ja,
              const int* descriptor, int* pivots, int* info);
}

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("usage: scalapack_lu PREFIX ROWS COLUMNS N BLOCK REPEATS\n", stderr);
    return 2;
  }
  const int rows = std::atoi(argv[2]), columns = std::atoi(argv[3]), n = std::atoi(argv[4]);
  const int block = std::atoi(argv[5]), repeats = std::atoi(argv[6]);
  int process = 0, processes = 0, context = 0, row = 0, column = 0;
  Cblacs_pinfo(&process, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", rows, columns);
  int r = rows, c = columns;
  Cblacs_gridinfo(context, &r, &c, &row, &column);
  const int zero = 0, one = 1;
  const int my_rows = numroc_(&n, &block, &row, &zero, &rows);
  const int my_columns = numroc_(&n, &block, &column, &zero, &columns);
  const int lda = std::max(1, my_rows);
  int descriptor[9], info = 0;
  descinit_(descriptor, &n, &n, &block, &block, &zero, &zero, &context, &lda, &info);
  std::vector<double> matrix(static_cast<std::size_t>(lda) * static_cast<std::size_t>(my_columns));
  std::mt19937 random(static_cast<unsigned>(process));
  for (double& x : matrix) x = static_cast<double>(random()) / 4294967296.0 - 0.5;
  std::vector<double> factors;
  std::vector<int> pivots(static_cast<std::size_t>(my_rows + block));
  double least = 1e30;
  for (int i = 0; i < repeats && info == 0; ++i) {
    factors = matrix;
    Cblacs_barrier(context, "All");
    const double begin = MPI_Wtime();
    pdgetrf_(&n, &n, factors.data(), &one, &one, descriptor, pivots.data(), &info);
    Cblacs_barrier(context, "All");
    least = std::min(least, MPI_Wtime() - begin);
  }
  if (process == 0) std::printf("info %d, %.6f s\n", info, least);
  std::ofstream out(std::string(argv[1]) + "." + std::to_string(process), std::ios::binary);
  out.write(reinterpret_cast<const char*>(factors.data()),
            static_cast<std::streamsize>(factors.size() * sizeof(double)));
  out.write(reinterpret_cast<const char*>(pivots.data()),
            static_cast<std::streamsize>(pivots.size() * sizeof(int)));
  out << info;
  out.close();
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return info != 0;
}
