// What a watched call tells the table, the record and the trace.

#include "api/watch/observer.hpp"

#include <array>

#include "api/watch/record.hpp"
#include "api/watch/trace.hpp"
#include "schedule/bytes.hpp"
#include "select/choose.hpp"

namespace tutti::core {

void Observed::come(MPI_Comm comm, bool waits) {
  watch_.emplace();
  if (!records()) return;
  watch_->comm = comm;
  watch_->waits = waits;
  watch_->came = clock_now();
}

void Observed::go() {
  stop_watch();
  if (watch_->operation != nullptr) watch_->operation->trace_into(nullptr, 0);
  if (watch_->came == Watch::none || watch_->row == nullptr) return;
  record({watch_->comm, watch_->came, clock_now(), watch_->waits, *watch_->row, watch_->call,
          watch_->cores});
}

void Observed::begin(Noter& noter, Watched& operation) {
  begin(noter, &operation, common_bytes(operation.watched_call()),
        operation.trace_key(false).communicator >= 0 ? recorder : nullptr);
  if (watch_->recorder == nullptr) return;
  watch_->operation = &operation;
  operation.trace_into(watch_->recorder, watch_->traced.number);
}

void Observed::begin_native(Noter& noter, const Watched* operation,
                            std::optional<std::size_t> bytes) {
  if (operation != nullptr) bytes = common_bytes(operation->watched_call());
  if (operation != nullptr && recorder != nullptr) watch_->traced.key = operation->trace_key(true);
  watch_->traced.key.is_native = true;
  begin(noter, operation, bytes, recorder);
}

void Observed::begin(Noter& noter, const Watched* operation, std::optional<std::size_t> bytes,
                     Recorder* to) {
  Watch& watch = *watch_;
  watch.row = &noter.row();
  if (operation != nullptr) {
    watch.call = &operation->watched_call();
    watch.cores = operation->cores();
  }
  watch.counts = &noter.counts;
  start_watch();
  watch.recorder = to;
  if (to == nullptr) return;
  watch.traced.number = to->next_call();
  watch.traced.label = trace_label(*to, noter.row());
  watch.traced.knows_bytes = bytes.has_value();
  watch.traced.bytes = bytes.value_or(0);
  watch.traced.begin = to->now();
}

void Observed::start_watch() {
  watch_->timed = explains() ? watch_->counts : nullptr;
  if (watch_->timed != nullptr) watch_->begin = PMPI_Wtime();
}

void Observed::stop_watch() {
  if (watch_->timed == nullptr) return;
  CallCounts::add(watch_->timed->nanoseconds,
                  static_cast<std::uint64_t>((PMPI_Wtime() - watch_->begin) * 1e9));
  watch_->timed = nullptr;
}

void Observed::finish() {
  Watch& watch = *watch_;
  if (watch.recorder != nullptr) {
    if (watch.operation != nullptr) {
      watch.traced.key = watch.operation->trace_key(false);
      watch.operation->trace_into(nullptr, 0);
    }
    watch.traced.end = watch.recorder->now();
    watch.recorder->note(watch.traced);
    watch.recorder = nullptr;
    watch.operation = nullptr;
  }
  stop_watch();
}

Noter& noter_of_left(Collective collective, int ranks, std::optional<std::size_t> bytes,
                     const char* why) {
  if (explains() && ranks > 0)
    return noter_of(
        explain_row(name_of(collective), size_class_of(bytes), ranks, "native", "", why));
  // Calls of one reason follow each other: the lock is not taken for each.
  struct Last {
    Noter* noter = nullptr;
    const char* why = nullptr;
  };
  thread_local std::array<Last, collective_count> of_collectives;
  Last& last = of_collectives[static_cast<std::size_t>(collective)];
  if (last.why != why)
    last = {&noter_of(explain_row(name_of(collective), -1, 0, "native", "", why)), why};
  return *last.noter;
}

}  // namespace tutti::core
