#pragma once

#include <mpi.h>

#include "api/watch/clocks.hpp"
#include "api/watch/table.hpp"

namespace tutti::core {

/// Calls are to be recorded: who calls what on which communicator, how long it takes, and when each
/// rank comes.
bool records();

/// A call of a collective from its begin to its end, if calls are recorded. One at a time on a
/// communicator, as MPI has it: nothing here takes a lock once a communicator is known.
class Recording {
 public:
  /// `waits`: the call ends with the collective, so that ranks wait for each other in it.
  Recording(MPI_Comm comm, bool waits)
      : comm_(comm), begin_(records() ? clock_now() : none), waits_(waits) {}
  ~Recording() {
    if (begin_ != none && what_ != nullptr) end();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// What the call runs; `call`: null if no more is known of it. Both must last.
  void runs(const ExplainRow& row, const Call* call) { what_ = row_ = &row, call_ = call; }
  /// The same for one that is left to the MPI.
  void leaves(Collective collective, const char* why, const Call* call) {
    what_ = why_ = why, collective_ = collective, call_ = call;
  }

 private:
  static constexpr std::int64_t none = -1;
  friend class CommunicatorRecord;
  void end() const;

  MPI_Comm comm_;
  std::int64_t begin_;
  bool waits_;
  const void* what_ = nullptr;
  const ExplainRow* row_ = nullptr;
  const char* why_ = nullptr;
  Collective collective_ = Collective::barrier;
  const Call* call_ = nullptr;
};

/// To be called by all of the world, at the begin and at the end.
void begin_record();
void write_record();

}  // namespace tutti::core
