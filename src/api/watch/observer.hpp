// The one place where a call tells those who watch it: the table, the record and the trace.

#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "api/process/settings.hpp"
#include "api/watch/table.hpp"
#include "execute/recorder.hpp"

namespace tutti::core {

/// What is watched of a call that Tutti has described.
class Watched {
 public:
  virtual const Call& watched_call() const = 0;
  /// That ranks of a node share; 0: one for each.
  virtual int cores() const = 0;
  /// What the other ranks know it by, where it is traced; no communicator: it is not. A call that
  /// is left to the MPI is numbered by asking.
  virtual TraceCall::Key trace_key(bool native) const = 0;
  /// Where its messages are noted, as those of which call; null: nowhere.
  virtual void trace_into(Recorder* to, std::uint32_t number) = 0;

 protected:
  ~Watched() = default;
};

/// What is kept of a call while it is watched.
struct Watch {
  static constexpr std::int64_t none = -1;

  // For the record.
  MPI_Comm comm = MPI_COMM_NULL;
  std::int64_t came = none;
  bool waits = false;
  const ExplainRow* row = nullptr;
  const Call* call = nullptr;
  int cores = 0;
  // For the table.
  CallCounts* timed = nullptr;  // null: the time does not count now
  CallCounts* counts = nullptr;
  double begin = 0;
  // For the trace.
  Recorder* recorder = nullptr;
  Watched* operation = nullptr;  // whose messages are traced
  TraceCall traced;
};

/// A call of a collective, from its begin to its end. It is counted in any case; where somebody
/// watches, its time goes to the table (TUTTI_EXPLAIN), who came when to the record (TUTTI_RECORD),
/// and what it did to the trace (TUTTI_TRACE).
class Observed {
 public:
  /// One that the record does not tell of.
  Observed() {
    if (watches_calls.load(std::memory_order_relaxed)) [[unlikely]]
      watch_.emplace();
  }
  /// `waits`: the call ends with the collective, so that ranks wait for each other in it.
  Observed(MPI_Comm comm, bool waits) {
    if (watches_calls.load(std::memory_order_relaxed)) [[unlikely]]
      come(comm, waits);
  }
  ~Observed() {
    if (watch_) [[unlikely]]
      go();
  }
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

  /// From here on Tutti runs it. `counts`: this rank is the one that counts for all. What is noted
  /// and the operation must last.
  void runs(Noter& noter, bool counts, Watched& operation) {
    noter.counts.note(counts);
    if (watch_) [[unlikely]]
      begin(noter, operation);
  }
  /// From here on the MPI does it. `operation`: what is known of the call; null: nothing but its
  /// bytes, if at all.
  void leaves(Noter& noter, bool counts, const Watched* operation = nullptr,
              std::optional<std::size_t> bytes = std::nullopt) {
    noter.counts.note(counts);
    if (watch_) [[unlikely]]
      begin_native(noter, operation, bytes);
  }
  /// Of one that was started: in between the program works, and that time does not count.
  void pause() {
    if (watch_) [[unlikely]]
      stop_watch();
  }
  void resume() {
    if (watch_) [[unlikely]]
      start_watch();
  }
  /// It has run. A call that does not come here has thrown: the trace has nothing of it.
  void end() {
    if (watch_) [[unlikely]]
      finish();
  }

 private:
  void come(MPI_Comm comm, bool waits);
  void go();
  void begin(Noter& noter, Watched& operation);
  void begin_native(Noter& noter, const Watched* operation, std::optional<std::size_t> bytes);
  void begin(Noter& noter, const Watched* operation, std::optional<std::size_t> bytes,
             Recorder* to);
  void start_watch();
  void stop_watch();
  void finish();

  std::optional<Watch> watch_;  // none: nobody watches
};

/// Where a call that the MPI does is noted. `ranks`: 0 if they are not known, nor are the bytes.
Noter& noter_of_left(Collective collective, int ranks, std::optional<std::size_t> bytes,
                     const char* why);

}  // namespace tutti::core
