// ScaLAPACK's LU with partial pivoting of a random matrix, again and again; the ranks stand in a
// grid that is as square as can be.
//
//   mpirun -n 4 scalapack_lu [order] [times]

#include <cmath>
#include <cstdint>
#include <vector>

#include "program.hpp"

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridinfo(int context, int* rows, int* columns, int* row, int* column);
void Cblacs_gridexit(int context);
int numroc_(const int* n, const int* nb, const int* place, const int* first, const int* places);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* row, const int* column, const int* context, const int* stride, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* i, const int* j,
              const int* descriptor, int* pivots, int* info);
}

namespace {

constexpr int nb = 64;  // rows and columns of a block

/// The same matrix for any grid.
double element(int i, int j) {
  std::uint64_t x = (static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j)) + 1;
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return static_cast<double>(x >> 11) * 0x1p-53 - 0.5;
}

/// The number of a row or column, of those that a place in the grid has.
int global(int local, int place, int places) {
  return (local / nb * places + place) * nb + local % nb;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int n = static_cast<int>(argument(argc, argv, 1, 1000));
  const long times = argument(argc, argv, 2, 5);
  int p = 1, dims[2] = {};
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Dims_create(p, 2, dims);
  int context = 0, rows = 0, columns = 0, row = 0, column = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", dims[0], dims[1]);
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  const int zero = 0, one = 1;
  const int height = numroc_(&n, &nb, &row, &zero, &rows);
  const int width = numroc_(&n, &nb, &column, &zero, &columns);
  const int stride = height > 0 ? height : 1;
  int descriptor[9], info = 0;
  descinit_(descriptor, &n, &n, &nb, &nb, &zero, &zero, &context, &stride, &info);
  std::vector<double> a(static_cast<std::size_t>(stride) * static_cast<std::size_t>(width));
  std::vector<int> pivots(static_cast<std::size_t>(height) + nb);
  double determinant = 0;  // the logarithm of what it is without its sign
  const double begin = MPI_Wtime();
  for (long k = 0; k < times; ++k) {
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < height; ++i)
        a[static_cast<std::size_t>(j) * stride + i] =
            element(global(i, row, rows), global(j, column, columns));
    pdgetrf_(&n, &n, a.data(), &one, &one, descriptor, pivots.data(), &info);
    double mine = 0;
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < height; ++i)
        if (global(i, row, rows) == global(j, column, columns))
          mine += std::log(std::abs(a[static_cast<std::size_t>(j) * stride + i]));
    MPI_Allreduce(&mine, &determinant, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  tell(determinant, MPI_Wtime() - begin);
  Cblacs_gridexit(context);
  MPI_Finalize();
  return info == 0 ? 0 : 1;
}
