// Three-dimensional Fourier transforms, there and back, of a cube that is dealt out in pencils:
// each transform makes the communicators of its rows and columns, and turns the cube by
// all-to-alls.
//
//   mpirun -n 4 fft [transforms] [side of the cube, a power of two]

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "program.hpp"

namespace {

using Number = std::complex<double>;

/// In place, of a power of two; `sign` -1: there, 1: back.
void transform(Number* line, int n, int sign) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(line[i], line[j]);
  }
  for (int length = 2; length <= n; length <<= 1) {
    const double angle = sign * 2 * std::numbers::pi / length;
    const Number root(std::cos(angle), std::sin(angle));
    for (int i = 0; i < n; i += length) {
      Number power(1);
      for (int k = 0; k < length / 2; ++k) {
        const Number even = line[i + k], odd = line[i + k + length / 2] * power;
        line[i + k] = even + odd;
        line[i + k + length / 2] = even - odd;
        power *= root;
      }
    }
  }
}

/// A pencil of n numbers along its last dimension, first x second of them. The last and the second
/// dimension change places over the ranks of a communicator, which have parts of the second.
void turn(std::vector<Number>& data, std::vector<Number>& other, int first, int second, int n,
          MPI_Comm comm) {
  int parts = 1;
  MPI_Comm_size(comm, &parts);
  const int each = n / parts;
  std::size_t at = 0;
  for (int part = 0; part < parts; ++part)
    for (int i = 0; i < first; ++i)
      for (int k = 0; k < each; ++k)
        for (int j = 0; j < second; ++j)
          other[at++] = data[(static_cast<std::size_t>(i) * second + j) * n + part * each + k];
  const int count = 2 * first * second * each;
  MPI_Alltoall(other.data(), count, MPI_DOUBLE, data.data(), count, MPI_DOUBLE, comm);
  for (int part = 0; part < parts; ++part)
    for (int i = 0; i < first; ++i)
      for (int k = 0; k < each; ++k)
        for (int j = 0; j < second; ++j)
          other[(static_cast<std::size_t>(i) * each + k) * n + part * second + j] =
              data[((static_cast<std::size_t>(part) * first + i) * each + k) * second + j];
  std::swap(data, other);
}

void lines(std::vector<Number>& data, int n, int sign) {
  for (std::size_t i = 0; i < data.size(); i += static_cast<std::size_t>(n))
    transform(&data[i], n, sign);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int p = 1, dims[2] = {0, 0}, periods[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const long transforms = argument(argc, argv, 1, 20);
  const int n = static_cast<int>(argument(argc, argv, 2, 64));
  MPI_Dims_create(p, 2, dims);
  if (n % dims[0] != 0 || n % dims[1] != 0) {
    std::fprintf(stderr, "fft: %d ranks do not divide a side of %d\n", p, n);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int rows = n / dims[0], columns = n / dims[1];
  std::vector<Number> data(static_cast<std::size_t>(rows) * columns * n), other(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = {1.0 + static_cast<double>(i % 13), 0};
  const double begin = MPI_Wtime();
  for (long i = 0; i < transforms; ++i) {
    MPI_Comm grid, row, column;
    const int along_rows[2] = {0, 1}, along_columns[2] = {1, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, along_rows, &row);
    MPI_Cart_sub(grid, along_columns, &column);
    for (const int sign : {-1, 1}) {
      lines(data, n, sign);
      turn(data, other, rows, columns, n, row);
      lines(data, n, sign);
      turn(data, other, columns, rows, n, column);
      lines(data, n, sign);
      turn(data, other, columns, rows, n, column);
      turn(data, other, rows, columns, n, row);
    }
    const double scale = 1.0 / n / n / n;
    for (Number& each : data) each *= scale;
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
  }
  const double seconds = MPI_Wtime() - begin;
  double mine = 0, sum = 0;
  for (const Number& each : data) mine += std::abs(each);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  tell(std::round(std::log10(sum) * 1000), seconds);
  MPI_Finalize();
}
