// Sample sort: allgather of samples, alltoall of counts, alltoallv of the numbers. An unchanged MPI
// program in C++.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);

  std::vector<int> numbers(100000);
  std::mt19937 random(static_cast<unsigned>(rank));
  for (int& number : numbers) number = static_cast<int>(random() >> 2);
  std::sort(numbers.begin(), numbers.end());

  // p samples of each rank give p - 1 borders.
  std::vector<int> samples(p), all(p * p), borders;
  for (int i = 0; i < p; ++i) samples[i] = numbers[numbers.size() * i / p];
  MPI_Allgather(samples.data(), p, MPI_INT, all.data(), p, MPI_INT, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  for (int i = 1; i < p; ++i) borders.push_back(all[i * p]);

  // Rank i gets what lies between borders i - 1 and i.
  std::vector<int> to(p), from(p), to_places(p), from_places(p);
  auto begin = numbers.begin();
  for (int i = 0; i < p; ++i) {
    const auto end = i + 1 < p ? std::lower_bound(begin, numbers.end(), borders[i]) : numbers.end();
    to[i] = static_cast<int>(end - begin);
    begin = end;
  }
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(to.begin(), to.end(), to_places.begin(), 0);
  std::exclusive_scan(from.begin(), from.end(), from_places.begin(), 0);
  std::vector<int> sorted(std::accumulate(from.begin(), from.end(), 0));
  MPI_Alltoallv(numbers.data(), to.data(), to_places.data(), MPI_INT, sorted.data(), from.data(),
                from_places.data(), MPI_INT, MPI_COMM_WORLD);
  std::sort(sorted.begin(), sorted.end());

  // Sorted if each rank's least is not below the largest of those before it.
  const int largest = sorted.empty() ? 0 : sorted.back();
  int before = 0, in_order = 1, everywhere = 0;
  MPI_Exscan(&largest, &before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank > 0 && !sorted.empty()) in_order = before <= sorted.front();
  MPI_Allreduce(&in_order, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%zu numbers on %d ranks: %s\n", numbers.size() * p, p,
                everywhere ? "sorted" : "NOT sorted");
  MPI_Finalize();
  return everywhere ? 0 : 1;
}
