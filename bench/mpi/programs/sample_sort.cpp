// Sorts numbers that the ranks make: samples are gathered, splitters broadcast, numbers exchanged.
//
//   mpirun -n 4 sample_sort [rounds] [numbers of each rank]

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "program.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const long rounds = argument(argc, argv, 1, 20);
  const auto count = static_cast<std::size_t>(argument(argc, argv, 2, 20000));
  const auto ranks = static_cast<std::size_t>(p);
  std::mt19937 random(static_cast<unsigned>(rank));
  double result = 0;
  const double begin = MPI_Wtime();
  for (long round = 0; round < rounds; ++round) {
    std::vector<std::uint32_t> mine(count), samples(ranks), splitters(ranks * ranks);
    for (std::uint32_t& each : mine) each = static_cast<std::uint32_t>(random());
    std::sort(mine.begin(), mine.end());
    for (std::size_t i = 0; i < ranks; ++i) samples[i] = mine[i * count / ranks];
    MPI_Gather(samples.data(), p, MPI_UINT32_T, splitters.data(), p, MPI_UINT32_T, 0,
               MPI_COMM_WORLD);
    if (rank == 0) {
      std::sort(splitters.begin(), splitters.end());
      for (std::size_t i = 0; i < ranks; ++i) splitters[i] = splitters[i * ranks];
    }
    MPI_Bcast(splitters.data(), p, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    std::vector<int> out(ranks), in(ranks), from(ranks), to(ranks);
    for (std::size_t i = 0, at = 0; i < ranks; ++i) {
      const std::size_t first = at;
      at = i + 1 == ranks
               ? count
               : static_cast<std::size_t>(
                     std::lower_bound(mine.begin(), mine.end(), splitters[i + 1]) - mine.begin());
      at = std::max(at, first);
      from[i] = static_cast<int>(first);
      out[i] = static_cast<int>(at - first);
    }
    MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(in.begin(), in.end(), to.begin(), 0);
    std::vector<std::uint32_t> sorted(static_cast<std::size_t>(to.back() + in.back()));
    MPI_Alltoallv(mine.data(), out.data(), from.data(), MPI_UINT32_T, sorted.data(), in.data(),
                  to.data(), MPI_UINT32_T, MPI_COMM_WORLD);
    std::sort(sorted.begin(), sorted.end());
    // All numbers are there, and in order over the ranks.
    std::uint64_t sums[2] = {0, 0}, all[2] = {};
    sums[0] = std::accumulate(sorted.begin(), sorted.end(), std::uint64_t{0});
    const std::uint32_t last = sorted.empty() ? 0 : sorted.back();
    std::uint32_t before = 0;
    MPI_Exscan(&last, &before, 1, MPI_UINT32_T, MPI_MAX, MPI_COMM_WORLD);
    sums[1] = rank > 0 && !sorted.empty() && before > sorted.front();
    MPI_Allreduce(sums, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    result += static_cast<double>(all[0] % 1000003) + 1e9 * static_cast<double>(all[1]);
  }
  tell(result, MPI_Wtime() - begin);
  MPI_Finalize();
}
