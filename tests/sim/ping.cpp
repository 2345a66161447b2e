// Half the time of a ping-pong between the first rank and the last, in simulated microseconds.
//
//   bench/sim --platform switched --ranks 8 -- build/smpi/bin/test_sim_ping 1000000

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const int bytes = argc > 1 ? std::atoi(argv[1]) : 0;
  std::vector<char> data(static_cast<std::size_t>(bytes));
  const auto send = [&](int to) { MPI_Send(data.data(), bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD); };
  const auto receive = [&](int from) {
    MPI_Recv(data.data(), bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  for (const bool counts : {false, true}) {  // the first finds the ranks at different places
    const double begin = MPI_Wtime();
    if (rank == 0) {
      send(p - 1);
      receive(p - 1);
      if (counts) fmt::print("{:.3f}\n", (MPI_Wtime() - begin) / 2 * 1e6);
    } else if (rank == p - 1) {
      receive(0);
      send(0);
    }
  }
  MPI_Finalize();
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
