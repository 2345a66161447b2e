// What a communicator costs that is made, used once and freed: microseconds of each cycle, on the
// slowest rank, and how the resident memory grows over them, after the first tenth.
//
//   mpirun -n 4 communicators [cycles]

#include <cstring>

#include "program.hpp"

namespace {

/// Of this process, in KB.
long resident() {
  long pages = 0, ignored = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &ignored, &pages) != 2) pages = 0;
    std::fclose(file);
  }
  return pages * 4;
}

void split() {
  int rank = 0;
  double mine = 1, sum = 0;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
  MPI_Comm_free(&half);
}

void duplicate() {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
}

void grid() {
  int p = 1, dims[2] = {0, 0};
  const int periods[2] = {0, 0}, keep[2] = {0, 1};
  char block[1024] = "";
  MPI_Comm all, row;
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Dims_create(p, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &all);
  MPI_Cart_sub(all, keep, &row);
  MPI_Bcast(block, sizeof block, MPI_BYTE, 0, row);
  MPI_Comm_free(&row);
  MPI_Comm_free(&all);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const long cycles = argument(argc, argv, 1, 1000);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct {
    const char* name;
    void (*run)();
  } kinds[] = {{"split_allreduce_free", split},
               {"dup_barrier_free", duplicate},
               {"cart_create_sub_bcast_free", grid}};
  for (const auto& kind : kinds) {
    for (int i = 0; i < 10; ++i) kind.run();
    long before = resident();
    const double begin = MPI_Wtime();
    for (long i = 0; i < cycles; ++i) {
      kind.run();
      if (i == cycles / 10) before = resident();  // what is made once for all is there
    }
    double took = (MPI_Wtime() - begin) / static_cast<double>(cycles) * 1e6, longest = 0;
    long grown = resident() - before, most = 0;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&grown, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
      std::printf("{\"cycle\": \"%s\", \"us\": %.3f, \"grown_kb\": %ld}\n", kind.name, longest,
                  most);
  }
  MPI_Finalize();
}
