#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "api/process/gather.hpp"
#include "timing/cell_call.hpp"
#include "timing/stopwatch.hpp"

namespace tutti::core {

/// How a sample starts if nobody says: after a barrier; a barrier itself in a row, since after
/// another its time holds the end of that one; in a simulation, whose clocks agree, at a time.
Stopwatch::Start usual_start(Collective collective);

/// The library's number of an algorithm. Throws std::runtime_error.
int number_of(const std::string& algorithm);

/// One call with fresh data, of the MPI's own or of the library's algorithm of that number (0: the
/// one it chooses); its result. Throws std::runtime_error on all ranks if it fails.
std::vector<char> run_once(MPI_Comm comm, CellCall& cell_call, const Calls& calls, int number);

/// A cell's call as a candidate: the library's, with the algorithm of that number; the MPI's own,
/// called without it, if the name is `native` and the number 0.
Candidate candidate_for(CellCall& cell_call, const std::string& name, int number, bool always);

/// What every rank says, by rank; on rank 0 only.
inline std::vector<std::string> gather_texts(const std::string& mine, MPI_Comm comm) {
  return gather_texts(mine, comm, native_calls());
}
/// What one rank says, on all ranks.
void share_text(std::string& text, MPI_Comm comm, int root = 0);

}  // namespace tutti::core
