// Conjugate gradients for a Laplacian on a square grid, rows dealt out to the ranks: a halo and two
// dot products a step.
//
//   mpirun -n 4 conjugate_gradients [steps] [side of the grid]

#include <cmath>
#include <vector>

#include "program.hpp"

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b, int side, int rows) {
  double mine = 0, all = 0;
  for (int i = side; i < (rows + 1) * side; ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// out = A x; x has a row above and one below, of the neighbours.
void multiply(Vector& x, Vector& out, int side, int rows, int up, int down) {
  MPI_Sendrecv(&x[side], side, MPI_DOUBLE, up, 0, &x[(rows + 1) * side], side, MPI_DOUBLE, down, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&x[rows * side], side, MPI_DOUBLE, down, 1, &x[0], side, MPI_DOUBLE, up, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 1; i <= rows; ++i)
    for (int j = 0; j < side; ++j) {
      const int at = i * side + j;
      out[at] = 4 * x[at] - x[at - side] - x[at + side] - (j > 0 ? x[at - 1] : 0) -
                (j + 1 < side ? x[at + 1] : 0);
    }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const long steps = argument(argc, argv, 1, 2000);
  const int side = static_cast<int>(argument(argc, argv, 2, 64));
  const int rows = side / p + (rank < side % p ? 1 : 0);
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL,
            down = rank + 1 < p ? rank + 1 : MPI_PROC_NULL;
  const std::size_t size = static_cast<std::size_t>(rows + 2) * side;
  Vector x(size), r(size), direction(size), product(size);
  for (int i = side; i < (rows + 1) * side; ++i) r[i] = direction[i] = 1;
  const double begin = MPI_Wtime();
  double square = dot(r, r, side, rows);
  for (long step = 0; step < steps; ++step) {
    multiply(direction, product, side, rows, up, down);
    const double alpha = square / dot(direction, product, side, rows);
    for (int i = side; i < (rows + 1) * side; ++i) {
      x[i] += alpha * direction[i];
      r[i] -= alpha * product[i];
    }
    const double next = dot(r, r, side, rows);
    for (int i = side; i < (rows + 1) * side; ++i)
      direction[i] = r[i] + next / square * direction[i];
    square = next;
    if (square < 1e-20)  // solved: with another right-hand side
      for (int i = side; i < (rows + 1) * side; ++i) r[i] = direction[i] = 1 + (step + i) % 7;
    if (square < 1e-20) square = dot(r, r, side, rows);
  }
  const double seconds = MPI_Wtime() - begin;
  tell(std::round(std::log10(std::sqrt(square) + 1e-12)), seconds);
  MPI_Finalize();
}
