// The record of where the time of collectives goes, which TUTTI_RECORD asks for.

#pragma once

#include <mpi.h>

#include "api/watch/clocks.hpp"
#include "api/watch/table.hpp"

namespace tutti::core {

/// Calls are to be recorded: who calls what on which communicator, how long it takes, and when each
/// rank comes.
bool records();

/// A call of a collective that has ended.
struct RecordedCall {
  MPI_Comm comm;
  std::int64_t begin, end;  // on this rank's clock
  bool waits;               // it ended with the collective: ranks waited for each other in it
  const ExplainRow& row;
  const Call* call;  // null: no more is known of it
  int cores;         // that ranks of a node share; 0: one for each
};
/// One at a time on a communicator, as MPI has it: nothing here takes a lock once a communicator is
/// known.
void record(const RecordedCall& call);

/// To be called by all of the world, at the begin and at the end.
void begin_record();
void write_record();

}  // namespace tutti::core
