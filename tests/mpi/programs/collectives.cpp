// All 17 blocking collectives of MPI from C++, on doubles and many of them; exits with 1 if a
// result is wrong.

#include <mpi.h>

#include <cstdio>
#include <functional>
#include <vector>

namespace {

int rank = 0, p = 1, wrong = 0;

using Numbers = std::vector<double>;

/// Runs a collective on fresh buffers of p blocks and compares what came.
void check(const char* collective, int n, const std::function<void(Numbers&, Numbers&)>& call,
           const std::function<double(int block, int i)>& expected, int blocks) {
  Numbers mine, got(static_cast<std::size_t>(p * n), -1);
  for (int block = 0; block < p; ++block)
    for (int i = 0; i < n; ++i) mine.push_back(1000 * rank + 10 * block + i % 10);
  call(mine, got);
  for (int block = 0; block < blocks; ++block)
    for (int i = 0; i < n; ++i) {
      if (got[static_cast<std::size_t>(block * n + i)] == expected(block, i)) continue;
      std::printf("%s of %d is wrong on rank %d\n", collective, n, rank);
      wrong = 1;
      return;
    }
}

void check_all(int n) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_DOUBLE;
  const int root = p / 2, total = 1000 * p * (p - 1) / 2, at_root = rank == root ? p : 0;
  std::vector<int> counts(static_cast<std::size_t>(p), n), places(counts), bytes(counts);
  for (int i = 0; i < p; ++i) {
    places[static_cast<std::size_t>(i)] = i * n;
    bytes[static_cast<std::size_t>(i)] = i * n * static_cast<int>(sizeof(double));
  }
  const std::vector<MPI_Datatype> types(counts.size(), type);
  const int* c = counts.data();
  const int* d = places.data();
  const int* b = bytes.data();
  const MPI_Datatype* t = types.data();

  const auto from_root = [=](int, int i) { return 1000.0 * root + 10 * rank + i % 10; };
  const auto first_of = [](int block, int i) { return 1000.0 * block + i % 10; };
  const auto mine_of = [](int block, int i) { return 1000.0 * block + 10 * rank + i % 10; };
  const auto sum = [=](int block, int i) { return total + p * (10.0 * block + i % 10); };
  const auto my_sum = [=](int, int i) { return total + p * (10.0 * rank + i % 10); };

  MPI_Barrier(world);
  check(
      "bcast", n,
      [&](Numbers& x, Numbers& y) {
        if (rank == root) y = x;
        MPI_Bcast(y.data(), p * n, type, root, world);
      },
      [&](int block, int i) { return 1000.0 * root + 10 * block + i % 10; }, p);
  check(
      "scatter", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Scatter(x.data(), n, type, y.data(), n, type, root, world);
      },
      from_root, 1);
  check(
      "scatterv", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Scatterv(x.data(), c, d, type, y.data(), n, type, root, world);
      },
      from_root, 1);
  check(
      "gather", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Gather(x.data(), n, type, y.data(), n, type, root, world);
      },
      first_of, at_root);
  check(
      "gatherv", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Gatherv(x.data(), n, type, y.data(), c, d, type, root, world);
      },
      first_of, at_root);
  check(
      "allgather", n,
      [&](Numbers& x, Numbers& y) { MPI_Allgather(x.data(), n, type, y.data(), n, type, world); },
      first_of, p);
  check(
      "allgatherv", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Allgatherv(x.data(), n, type, y.data(), c, d, type, world);
      },
      first_of, p);
  check(
      "reduce", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Reduce(x.data(), y.data(), p * n, type, MPI_SUM, root, world);
      },
      sum, at_root);
  check(
      "allreduce", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Allreduce(x.data(), y.data(), p * n, type, MPI_SUM, world);
      },
      sum, p);
  check(
      "reduce_scatter", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Reduce_scatter(x.data(), y.data(), c, type, MPI_SUM, world);
      },
      my_sum, 1);
  check(
      "reduce_scatter_block", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Reduce_scatter_block(x.data(), y.data(), n, type, MPI_SUM, world);
      },
      my_sum, 1);
  check(
      "alltoall", n,
      [&](Numbers& x, Numbers& y) { MPI_Alltoall(x.data(), n, type, y.data(), n, type, world); },
      mine_of, p);
  check(
      "alltoallv", n,
      [&](Numbers& x, Numbers& y) {
        MPI_Alltoallv(x.data(), c, d, type, y.data(), c, d, type, world);
      },
      mine_of, p);
  check(
      "alltoallw", n,
      [&](Numbers& x, Numbers& y) { MPI_Alltoallw(x.data(), c, b, t, y.data(), c, b, t, world); },
      mine_of, p);
  check(
      "scan", n,
      [&](Numbers& x, Numbers& y) { MPI_Scan(x.data(), y.data(), p * n, type, MPI_SUM, world); },
      [](int block, int i) {
        return 500.0 * rank * (rank + 1) + (rank + 1) * (10.0 * block + i % 10);
      },
      p);
  check(
      "exscan", n,
      [&](Numbers& x, Numbers& y) { MPI_Exscan(x.data(), y.data(), p * n, type, MPI_SUM, world); },
      [](int block, int i) {
        return rank == 0 ? -1 : 500.0 * rank * (rank - 1) + rank * (10.0 * block + i % 10);
      },
      p);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (const int n : {1, 100, 20000}) check_all(n);
  MPI_Finalize();
  return wrong;
}
