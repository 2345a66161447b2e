// Factors a matrix on a grid of ranks, and checks the result:
//
//   mpirun -n 6 lu [N [BLOCK [ROWS COLUMNS]]] [singular]
//
// N = 1000, blocks of 64, and a grid that MPI finds unless others are given. "singular" makes a
// column of zeros, to see what is said. Link with -ltutti -lopenblas.

#include "lu.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

int number(const char* text) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end != '\0' || value < 1 || value > 1000000)
    throw std::invalid_argument("'" + std::string(text) + "' is no number from 1 to 1000000");
  return static_cast<int>(value);
}

bool run(const tutti::Communicator& world, std::vector<const char*> words) {
  const bool singular = !words.empty() && std::string_view(words.back()) == "singular";
  if (singular) words.pop_back();
  if (words.size() == 3 || words.size() > 4)
    throw std::invalid_argument("give N, BLOCK, ROWS and COLUMNS, or fewer from the end");
  const int n = !words.empty() ? number(words[0]) : 1000;
  const int nb = words.size() > 1 ? number(words[1]) : 64;
  std::vector<int> dims(2);
  if (words.size() == 4)
    dims = {number(words[2]), number(words[3])};
  else
    MPI_Dims_create(world.size(), 2, dims.data());

  const tutti::Grid grid(world, dims);
  lu::Matrix a(grid, n, nb);
  lu::fill(a);
  if (singular && a.columns.here(n / 2)) std::fill_n(a.at(0, a.columns.local(n / 2)), a.height, 0.);

  lu::Matrix factors = a;
  world.barrier();
  const double begin = MPI_Wtime();
  const std::vector<int> pivots = lu::factorise(factors);
  const double seconds = world.allreduce(MPI_Wtime() - begin, tutti::max);

  const double left = lu::residual(a, factors, pivots);
  if (world.rank() == 0)
    std::printf("n = %d, blocks of %d, %dx%d ranks: %.4f s, %.2f Gflop/s, residual %.3f %s\n", n,
                nb, dims[0], dims[1], seconds, 2. / 3 * n * n * n / seconds * 1e-9, left,
                left < 30 ? "passes" : "FAILS");
  return left < 30;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  openblas_set_num_threads(1);  // a rank has a core
  bool right = false;
  {
    const auto world = tutti::Communicator::world();
    try {
      right = run(world, {argv + 1, argv + argc});
    } catch (const std::exception& error) {  // the same on all ranks
      if (world.rank() == 0) std::fprintf(stderr, "lu: %s\n", error.what());
    }
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
