// Threads that make communicators at once, each from one of its own, and call collectives on them.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 8, times = argc > 2 ? std::atoi(argv[2]) : 5;
  int provided = 0, rank = 0, p = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (provided == MPI_THREAD_MULTIPLE) {
    std::vector<MPI_Comm> parents(static_cast<std::size_t>(threads));
    for (MPI_Comm& each : parents) MPI_Comm_dup(MPI_COMM_WORLD, &each);
    std::vector<std::thread> all;
    for (const MPI_Comm parent : parents)
      all.emplace_back([=] {
        for (int i = 0; i < times; ++i) {
          MPI_Comm made;
          MPI_Comm_dup(parent, &made);
          MPI_Barrier(made);
          int mine = rank + i, sum = 0;
          MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, made);
          if (sum != p * (p - 1) / 2 + p * i) std::printf("an allreduce is wrong\n");
          MPI_Comm_free(&made);
        }
      });
    for (std::thread& each : all) each.join();
    for (MPI_Comm& each : parents) MPI_Comm_free(&each);
  } else if (rank == 0) {
    std::printf("no threads\n");
  }
  MPI_Finalize();
}
