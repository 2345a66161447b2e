// Messages that are timed: the one place that says how long an exchange takes, for the library's
// first guess and for what the command measures.

#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tutti::core {

/// Seconds of a call on this rank, in each of some samples of several calls in a row. `meet` comes
/// before every sample.
template <class Meet, class Call>
std::vector<double> time_calls(int samples, int calls, Meet&& meet, Call&& call) {
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) {
    meet();
    const double begin = PMPI_Wtime();
    for (int k = 0; k < calls; ++k) call();
    seconds.push_back((PMPI_Wtime() - begin) / calls);
  }
  return seconds;
}

/// Two other ranks, or one and the same: messages go to the first and come from the second.
struct Neighbours {
  int to = 0, from = 0;
};

/// Sends so many bytes and receives as many, in equal parts that are all under way at once.
template <int parts = 1>
void exchange(MPI_Comm comm, Neighbours with, const char* out, char* in, int bytes) {
  constexpr int tag = 2;
  std::array<MPI_Request, std::size_t{2} * parts> requests;
  const int part = bytes / parts;
  for (int i = 0; i < parts; ++i) {
    PMPI_Irecv(in + i * part, part, MPI_BYTE, with.from, tag, comm, &requests[2 * i]);
    PMPI_Isend(out + i * part, part, MPI_BYTE, with.to, tag, comm, &requests[2 * i + 1]);
  }
  PMPI_Waitall(2 * parts, requests.data(), MPI_STATUSES_IGNORE);
}

/// What a message of so many bytes took.
struct Took {
  double bytes, seconds;
};

/// The line through a short message and a long one. What is no time at all leaves what is known.
inline void line_through(Took few, Took many, double& alpha, double& beta) {
  if (few.seconds > 0) alpha = few.seconds;
  if (many.seconds > few.seconds) beta = (many.seconds - few.seconds) / (many.bytes - few.bytes);
}

}  // namespace tutti::core
