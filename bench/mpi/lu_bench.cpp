// The example's LU (examples/lu) against ScaLAPACK's pdgetrf: the same matrix, blocks and grid, in
// turns in one run, both checked.
//
//   mpirun -n 4 lu_bench [-n 1000,2000] [--nb 64] [--grid 2x2] [--repetitions 11] [--json]
//
// ScaLAPACK with collectives of Tutti: put the drop-in for the BLACS, or that for the MPI, in front
// with LD_PRELOAD.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "../../examples/lu/lu.hpp"

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb,
               const int* row, const int* column, const int* context, const int* stride, int* info);
void pdgetrf_(const int* m, const int* n, double* a, const int* i, const int* j,
              const int* descriptor, int* pivots, int* info);
}

namespace {

/// ScaLAPACK on the same grid.
class Scalapack {
 public:
  explicit Scalapack(const tutti::Grid& grid) {
    Cblacs_get(-1, 0, &context_);
    Cblacs_gridinit(&context_, "Row", grid.dims()[0], grid.dims()[1]);
  }
  ~Scalapack() { Cblacs_gridexit(context_); }
  Scalapack(const Scalapack&) = delete;
  Scalapack& operator=(const Scalapack&) = delete;

  /// Returns this rank's pivots, one for each local row, from 1 on.
  std::vector<int> factorise(lu::Matrix& a) const {
    const int n = a.rows.n, nb = a.rows.nb, zero = 0, one = 1;
    int descriptor[9], info = 0;
    descinit_(descriptor, &n, &n, &nb, &nb, &zero, &zero, &context_, &a.stride, &info);
    std::vector<int> pivots(a.height + nb);
    if (info == 0) pdgetrf_(&n, &n, a.part.data(), &one, &one, descriptor, pivots.data(), &info);
    if (info != 0) throw std::runtime_error(fmt::format("pdgetrf: info {}", info));
    return pivots;
  }

  /// The same for all rows, from 0 on.
  static std::vector<int> all_pivots(const lu::Matrix& a, const std::vector<int>& mine) {
    std::vector<int> all(a.rows.n);
    for (int i = 0; i < a.height; ++i) all[a.rows.global(i)] = mine[i] - 1;
    a.grid.column().allreduce_in_place(all, tutti::sum);
    return all;
  }

 private:
  int context_ = 0;
};

template <class Call>
double seconds(const tutti::Communicator& world, const Call& call) {
  world.barrier();
  const double begin = MPI_Wtime();
  call();
  return world.allreduce(MPI_Wtime() - begin, tutti::max);
}

double quantile(std::vector<double> list, double q) {
  std::sort(list.begin(), list.end());
  return list[static_cast<std::size_t>(q * static_cast<double>(list.size() - 1) + 0.5)];
}

nlohmann::json measure(const tutti::Grid& grid, int n, int nb, int repetitions) {
  const auto& world = grid.all();
  const Scalapack scalapack(grid);
  lu::Matrix original(grid, n, nb);
  lu::fill(original);
  lu::Matrix ours = original, theirs = original;
  std::vector<int> our_pivots, their_pivots;
  std::vector<double> our_times, their_times, ratios;
  for (int i = 0; i < repetitions + 1; ++i) {
    double one = 0, other = 0;
    for (const bool tutti_now : {i % 2 == 0, i % 2 != 0})
      if (tutti_now) {
        ours.part = original.part;
        one = seconds(world, [&] { our_pivots = lu::factorise(ours); });
      } else {
        theirs.part = original.part;
        other = seconds(world, [&] { their_pivots = scalapack.factorise(theirs); });
      }
    if (i == 0) continue;  // warms up
    our_times.push_back(one);
    their_times.push_back(other);
    ratios.push_back(other / one);
  }
  const double our_residual = lu::residual(original, ours, our_pivots);
  const double their_residual =
      lu::residual(original, theirs, Scalapack::all_pivots(theirs, their_pivots));
  const double gigaflops = 2. / 3 * n * n * n * 1e-9;
  return {{"n", n},
          {"nb", nb},
          {"rows", grid.dims()[0]},
          {"columns", grid.dims()[1]},
          {"repetitions", repetitions},
          {"lu_seconds", quantile(our_times, 0.5)},
          {"pdgetrf_seconds", quantile(their_times, 0.5)},
          {"lu_gflops", gigaflops / quantile(our_times, 0.5)},
          {"pdgetrf_gflops", gigaflops / quantile(their_times, 0.5)},
          {"ratio", quantile(ratios, 0.5)},
          {"ratio_low", quantile(ratios, 0.25)},
          {"ratio_high", quantile(ratios, 0.75)},
          {"lu_residual", our_residual},
          {"pdgetrf_residual", their_residual}};
}

int run(int argc, char** argv) {
  CLI::App app("The example's LU against ScaLAPACK's pdgetrf.", "lu_bench");
  std::vector<int> sizes = {1000};
  int nb = 64, repetitions = 11;
  std::string shape;
  bool json = false;
  app.add_option("-n", sizes, "sizes of the matrix")->delimiter(',')->check(CLI::Range(1, 100000));
  app.add_option("--nb", nb, "size of a block")->check(CLI::PositiveNumber);
  app.add_option("--grid", shape, "rows and columns of the grid, as 2x3");
  app.add_option("--repetitions", repetitions, "of each")->check(CLI::PositiveNumber);
  app.add_flag("--json", json, "print JSON");
  const auto world = tutti::Communicator::world();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return world.rank() == 0 ? app.exit(error) : error.get_exit_code();
  }
  std::vector<int> dims(2);
  if (shape.empty())
    MPI_Dims_create(world.size(), 2, dims.data());
  else if (std::sscanf(shape.c_str(), "%dx%d", &dims[0], &dims[1]) != 2)
    throw std::invalid_argument(fmt::format("'{}' is no grid: write 2x3", shape));
  openblas_set_num_threads(1);

  const tutti::Grid grid(world, dims);
  nlohmann::json all = nlohmann::json::array();
  if (!json && world.rank() == 0)
    fmt::print("{:>6} {:>4} {:>5}  {:>9} {:>9}  {:>17}  {:>9}\n", "n", "nb", "grid", "lu",
               "pdgetrf", "pdgetrf / lu", "residuals");
  bool right = true;
  for (const int n : sizes) {
    const auto row = measure(grid, n, nb, repetitions);
    right &= row["lu_residual"] < 30 && row["pdgetrf_residual"] < 30;
    if (!json && world.rank() == 0)
      fmt::print(
          "{:>6} {:>4} {:>5}  {:>7.4f} s {:>7.4f} s  {:.2f} ({:.2f} to {:.2f})  {:.2f} {:.2f}\n", n,
          nb, fmt::format("{}x{}", dims[0], dims[1]), row["lu_seconds"].get<double>(),
          row["pdgetrf_seconds"].get<double>(), row["ratio"].get<double>(),
          row["ratio_low"].get<double>(), row["ratio_high"].get<double>(),
          row["lu_residual"].get<double>(), row["pdgetrf_residual"].get<double>());
    all.push_back(row);
  }
  if (json && world.rank() == 0) fmt::print("{}\n", all.dump(2));
  if (!right && world.rank() == 0) fmt::print(stderr, "lu_bench: a residual is above 30\n");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 2;
  try {
    code = run(argc, argv);
  } catch (const std::exception& error) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fmt::print(stderr, "lu_bench: {}\n", error.what());
  }
  MPI_Finalize();
  return code;
}
