// Threads, and messages of others that are under way while a collective runs.

#include <thread>

#include "semantics.hpp"

namespace tutti::test {
namespace {

void two_threads_on_two_communicators() {
  if (threads_granted < MPI_THREAD_MULTIPLE) return;
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::string wrong[2];
  const auto work = [&](int which) {
    try {
      for (int k = 0; k < 100; ++k) {
        const int n = k % 5 == 0 ? 20000 : 1 + k;
        const std::vector<int> mine(static_cast<std::size_t>(n), rank + which);
        std::vector<int> sums(mine.size());
        SUCCEEDS(tutti_allreduce(mine.data(), sums.data(), n, MPI_INT, MPI_SUM, comms[which]));
        expect(sums.back() == p * (p - 1) / 2 + p * which, "wrong sum");
        SUCCEEDS(tutti_bcast(sums.data(), n, MPI_INT, k % p, comms[which]));
      }
    } catch (const std::exception& error) {
      wrong[which] = error.what();
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  for (const std::string& text : wrong) expect(text.empty(), text);
}

void a_pending_send_keeps_moving() {
  if (p < 2) return;
  constexpr int bytes = 64 << 20;
  std::vector<char> data(rank < 2 ? bytes : 0, static_cast<char>(rank == 0 ? 5 : 0));
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(data.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  // Rank 1 enters only when it has all, which takes rank 0's help from inside the collective.
  if (rank == 1) MPI_Recv(data.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_sum(MPI_COMM_WORLD);
  SUCCEEDS(tutti_barrier(MPI_COMM_WORLD));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(rank != 1 || (data.front() == 5 && data.back() == 5), "the message is wrong");
}

/// One rank meets the others on a new communicator while they still wait for what is pending.
void a_first_collective_beside_a_pending_operation() {
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
  const std::vector<int> mine(30000, rank + 1);
  std::vector<int> sum(mine.size());
  tutti_operation pending = nullptr;
  SUCCEEDS(tutti_allreduce_init(mine.data(), sum.data(), static_cast<int>(mine.size()), MPI_INT,
                                MPI_SUM, MPI_COMM_WORLD, &pending));
  SUCCEEDS(tutti_start(pending));
  if (rank == 0) SUCCEEDS(tutti_barrier(fresh));
  SUCCEEDS(tutti_wait(pending));
  if (rank != 0) SUCCEEDS(tutti_barrier(fresh));
  SUCCEEDS(tutti_free(&pending));
  MPI_Comm_free(&fresh);
  for (const int each : sum) expect(each == p * (p + 1) / 2, "wrong sum");
}

}  // namespace

const std::vector<Case> progress_cases = {CASE(two_threads_on_two_communicators),
                                          CASE(a_pending_send_keeps_moving),
                                          CASE(a_first_collective_beside_a_pending_operation)};

}  // namespace tutti::test
