// What the first and the second call of each collective take, and the mean of the next few, of some
// bytes in all: microseconds on the slowest rank. 8 bytes, 64 KB and 1 MB if none are given.
//
//   mpirun -n 4 first_calls [next calls] [bytes ...]

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"

namespace {

/// Microseconds of a call on the slowest rank; all begin together.
double timed(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  call();
  double mine = (MPI_Wtime() - begin) * 1e6, longest = 0;
  MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return longest;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long next = argument(argc, argv, 1, 20);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  for (int i = 0; i < 5; ++i) timed([] {});  // barrier and reduce are no first calls any more
  const MPI_Comm world = MPI_COMM_WORLD;
  std::vector<int> sizes{8, 64 << 10, 1 << 20};
  if (argc > 2) sizes.clear();
  for (int i = 2; i < argc; ++i) sizes.push_back(static_cast<int>(argument(argc, argv, i, 0)));
  for (const int bytes : sizes) {
    const int block = std::max(8, bytes / p), words = bytes / 8, part = block / 8;
    std::vector<double> in(static_cast<std::size_t>(std::max(bytes / 8, part * p)), 1), out(in);
    std::vector<int> counts(static_cast<std::size_t>(p), part), places(counts);
    for (int i = 0; i < p; ++i) places[i] = i * part;
    const std::pair<std::string, std::function<void()>> calls[] = {
        {"bcast", [&] { MPI_Bcast(in.data(), words, MPI_DOUBLE, 0, world); }},
        {"reduce",
         [&] { MPI_Reduce(in.data(), out.data(), words, MPI_DOUBLE, MPI_SUM, 0, world); }},
        {"allreduce",
         [&] { MPI_Allreduce(in.data(), out.data(), words, MPI_DOUBLE, MPI_SUM, world); }},
        {"scan", [&] { MPI_Scan(in.data(), out.data(), words, MPI_DOUBLE, MPI_SUM, world); }},
        {"reduce_scatter_block",
         [&] {
           MPI_Reduce_scatter_block(in.data(), out.data(), part, MPI_DOUBLE, MPI_SUM, world);
         }},
        {"gather",
         [&] { MPI_Gather(in.data(), part, MPI_DOUBLE, out.data(), part, MPI_DOUBLE, 0, world); }},
        {"scatter",
         [&] { MPI_Scatter(in.data(), part, MPI_DOUBLE, out.data(), part, MPI_DOUBLE, 0, world); }},
        {"allgather",
         [&] { MPI_Allgather(in.data(), part, MPI_DOUBLE, out.data(), part, MPI_DOUBLE, world); }},
        {"allgatherv",
         [&] {
           MPI_Allgatherv(in.data(), part, MPI_DOUBLE, out.data(), counts.data(), places.data(),
                          MPI_DOUBLE, world);
         }},
        {"alltoall",
         [&] { MPI_Alltoall(in.data(), part, MPI_DOUBLE, out.data(), part, MPI_DOUBLE, world); }},
        {"alltoallv",
         [&] {
           MPI_Alltoallv(in.data(), counts.data(), places.data(), MPI_DOUBLE, out.data(),
                         counts.data(), places.data(), MPI_DOUBLE, world);
         }},
    };
    for (const auto& [name, call] : calls) {
      const double first = timed(call), second = timed(call);
      double rest = 0;
      for (long i = 0; i < next; ++i) rest += timed(call) / static_cast<double>(next);
      if (rank == 0)
        std::printf(
            "{\"collective\": \"%s\", \"bytes\": %d, \"first_us\": %.2f, \"second_us\": %.2f, "
            "\"next_us\": %.2f}\n",
            name.c_str(), bytes, first, second, rest);
    }
  }
  MPI_Finalize();
}
