// Half the time of a ping-pong between the first ranks and the last, in simulated microseconds: the
// first with the last, the second with the last but one, as many pairs as wanted at a time.
//
//   bench/sim --platform switched --ranks 8 -- build/smpi/bin/test_sim_ping 1000000
//   ... test_sim_ping BYTES EXIT-CODE PAIRS MESSAGES-AT-A-TIME

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, p = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  const auto word = [&](int i, int absent) { return argc > i ? std::atoi(argv[i]) : absent; };
  const int bytes = word(1, 0), pairs = word(3, 1), messages = word(4, 1), peer = p - 1 - rank;
  std::vector<char> data(static_cast<std::size_t>(bytes));
  std::vector<MPI_Request> others(static_cast<std::size_t>(messages - 1));
  const auto send = [&] {
    for (MPI_Request& each : others)
      MPI_Isend(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &each);
    MPI_Send(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Waitall(messages - 1, others.data(), MPI_STATUSES_IGNORE);
  };
  const auto receive = [&] {
    for (MPI_Request& each : others)
      MPI_Irecv(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &each);
    MPI_Recv(data.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(messages - 1, others.data(), MPI_STATUSES_IGNORE);
  };
  for (const bool counts : {false, true}) {  // the first finds the ranks at different places
    const double begin = MPI_Wtime();
    if (rank < pairs) {
      send();
      receive();
      if (counts && rank == 0) fmt::print("{:.3f}\n", (MPI_Wtime() - begin) / 2 * 1e6);
    } else if (p - 1 - rank < pairs) {
      receive();
      send();
    }
  }
  MPI_Finalize();
  return word(2, 0);
}
