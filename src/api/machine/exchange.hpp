// Messages that are timed, and the rates that follow: for the library's first guess and for what
// the command measures.

#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

#include "measure/fit.hpp"

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

/// Sends so many bytes and gets some back; `begins`: this one of the two ranks.
inline void there_and_back(MPI_Comm comm, int peer, bool begins, const char* out, char* in,
                           int there, int back) {
  constexpr int tag = 3;
  if (begins) PMPI_Send(out, there, MPI_BYTE, peer, tag, comm);
  PMPI_Recv(in, begins ? back : there, MPI_BYTE, peer, tag, comm, MPI_STATUS_IGNORE);
  if (!begins) PMPI_Send(out, back, MPI_BYTE, peer, tag, comm);
}

/// Small messages from one rank to another that are all under way at once: what it takes to post.
template <int messages>
class InARow {
 public:
  InARow(MPI_Comm comm, int peer, bool sends) : comm_(comm), peer_(peer), sends_(sends) {}

  /// The other rank is ready for all.
  void begin() {
    posted_ = 0;
    for (int i = 0; !sends_ && i < messages; ++i)
      PMPI_Irecv(data_[i], bytes, MPI_BYTE, peer_, tag, comm_, &requests_[i]);
  }
  void post() {
    if (sends_) PMPI_Isend(data_[posted_], bytes, MPI_BYTE, peer_, tag, comm_, &requests_[posted_]);
    ++posted_;
  }
  void end() { PMPI_Waitall(messages, requests_, MPI_STATUSES_IGNORE); }

 private:
  static constexpr int bytes = 8, tag = 4;

  const MPI_Comm comm_;
  const int peer_;
  const bool sends_;
  int posted_ = 0;
  char data_[messages][bytes] = {};
  MPI_Request requests_[messages];
};

/// Rates by a short and a long message: `exchange` and `one_way` say how many seconds one of so
/// many bytes takes. What is no time at all leaves what is known.
template <class Exchange, class OneWay>
Rates measure_line(int few, int many, Exchange&& exchange, OneWay&& one_way, Rates rates = {}) {
  const auto points = [&](auto& seconds) -> std::vector<Timing> {
    return {{static_cast<double>(few), seconds(few)}, {static_cast<double>(many), seconds(many)}};
  };
  const Rates found = rates_of(points(exchange), points(one_way));
  for (const auto rate : {&Rates::alpha, &Rates::beta, &Rates::alpha_uni, &Rates::beta_uni})
    if (found.*rate > 0) rates.*rate = found.*rate;
  return rates;
}

}  // namespace tutti::core
