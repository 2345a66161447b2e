#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "execute/clock_offset.hpp"
#include "execute/recorder.hpp"

namespace tutti::core {

/// What one rank of the world has noted.
struct RankTrace {
  std::string host;
  ClockOffset offset;
  std::vector<TraceEvent> events;
  std::vector<TraceCall> calls;
  std::vector<std::string> labels;
  std::map<std::int64_t, std::vector<int>> communicators;  // ranks of the world
  std::uint64_t dropped_events = 0, dropped_calls = 0;
};

/// As bytes for another rank on a machine of the same kind, and back.
std::string pack(const RankTrace& trace);
RankTrace unpack(std::string_view bytes);

/// What all ranks did, on one clock that begins at 0.
struct Trace {
  struct Event {
    TraceEvent::Kind kind = TraceEvent::Kind::wait;
    int rank = 0, peer = -1;  // of the world
    std::uint32_t call = 0;   // in `calls`
    std::uint32_t round = 0;
    std::uint64_t bytes = 0;
    std::int64_t begin = 0, end = 0;
    std::int64_t message = -1;  // the same of a send and its receive
  };
  /// A rank in a call. Outside of it, but before the last rank ends, it is away.
  struct Part {
    int rank = 0;
    std::int64_t begin = 0, end = 0;
    bool operator==(const Part&) const = default;
  };
  struct Call {
    std::string name;  // `allreduce/ring:segment=32K`
    std::optional<std::uint64_t> bytes;
    std::vector<Part> parts;  // by rank
    std::int64_t begin() const;
    std::int64_t end() const;
  };
  struct RankOfTrace {
    std::string host;
    ClockOffset offset;
    std::uint64_t dropped_events = 0, dropped_calls = 0;
  };
  std::vector<RankOfTrace> ranks;
  std::vector<Call> calls;     // in the order they begin
  std::vector<Event> events;   // likewise
  std::uint64_t left_out = 0;  // events of calls that not all ranks have noted
};

/// Puts the ranks' traces together: times on rank 0's clock, calls that all their ranks have, each
/// send with its receive. Times stay as the clocks have them, whatever order that gives.
Trace merge(const std::vector<RankTrace>& ranks);

/// A message's send and its receive; null where one is missing.
struct MessageEnds {
  const Trace::Event *send = nullptr, *recv = nullptr;
};
std::vector<MessageEnds> messages_of(const Trace& trace);

/// Messages whose receive ended before their send began: so wrong are the clocks at least.
struct Disorder {
  std::uint64_t messages = 0, before_sent = 0;
  std::int64_t worst = 0;  // nanoseconds
};
Disorder disorder_of(const Trace& trace);

/// What a rank does in a call, piece by piece from the first rank's begin to the last one's end.
enum class Doing : std::uint8_t { communicates, combines, idles, is_away };
std::string_view name_of(Doing doing);
struct Span {
  Doing doing = Doing::idles;
  std::int64_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};

/// Of each part of each call. A message is under way from when it is sent and expected to when it
/// is there; its sender is also busy until it may use its memory again. Who combines or copies
/// meanwhile does that; who does nothing of it, idles.
std::vector<std::vector<std::vector<Span>>> spans_of(const Trace& trace);

/// As Chrome's trace events, which Perfetto reads: processes are ranks, sorted by time. A last
/// field `tutti` holds what only Tutti reads; `more` are fields for it, `"name":value` with commas
/// between.
std::string to_chrome(const Trace& trace, std::string_view more = {});

}  // namespace tutti::core
