#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "api/process/native.hpp"
#include "measure/grid.hpp"

namespace tutti::core {

const Calls& native_calls();
const Calls& tutti_calls();

/// A cell's buffers on this rank, and its call.
class CellCall {
 public:
  CellCall(MPI_Comm comm, const Cell& cell);
  ~CellCall();
  CellCall(const CellCall&) = delete;
  CellCall& operator=(const CellCall&) = delete;

  int call(const Calls& calls);
  /// The library's algorithm for the call when nobody asks for one; `native`: the MPI's own. Throws
  /// std::runtime_error if the call is wrong.
  std::string chosen();
  /// Fills the input with values that depend on rank and place, and the output with none of them.
  void fill();
  /// Writes what this rank gives once more, as it is: a program's data are fresh, in its own core's
  /// cache, and not left in another's by the call before.
  void refresh();
  /// What the call has written, where MPI says what it is.
  std::vector<char> result() const;

 private:
  std::size_t bytes_of(std::size_t elements) const { return elements * extent_; }

  const Cell cell_;
  const Problem problem_;
  const MPI_Comm comm_;
  int rank_ = 0, count_ = 0;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  bool derived_ = false;
  std::size_t extent_ = 1;
  std::vector<int> counts_, displs_, in_counts_, in_displs_;  // in_: what comes in, of alltoallv, w
  std::vector<MPI_Datatype> types_;
  std::vector<char> in_, out_;
};

}  // namespace tutti::core
