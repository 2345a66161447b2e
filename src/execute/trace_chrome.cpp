// A trace as Chrome's trace events, and behind them what only Tutti reads.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "execute/trace.hpp"

namespace tutti::core {

namespace {

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\', result += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", c);
    else
      result += c;
  }
  return result + '"';
}

/// Chrome counts in microseconds; three places are whole nanoseconds.
std::string micro(std::int64_t nanoseconds) {
  const bool is_negative = nanoseconds < 0;
  const std::int64_t size = is_negative ? -nanoseconds : nanoseconds;
  return fmt::format("{}{}.{:03}", is_negative ? "-" : "", size / 1000, size % 1000);
}

/// What overlaps must stand on several threads: viewers expect those of one to be nested.
enum Row { of_calls, of_sends, of_receives, of_work, of_waits, row_count };
constexpr const char* row_names[] = {"calls", "sends", "receives", "combines, copies", "waits"};
constexpr int most_lanes = 100'000;

Row row_of(TraceEvent::Kind kind) {
  switch (kind) {
    case TraceEvent::Kind::send: return of_sends;
    case TraceEvent::Kind::recv: return of_receives;
    case TraceEvent::Kind::reduce:
    case TraceEvent::Kind::copy: return of_work;
    case TraceEvent::Kind::wait: break;
  }
  return of_waits;
}

/// Gives what begins later than all that came before the first thread of its row that is free.
class Lanes {
 public:
  int lane(int rank, Row row, std::int64_t begin, std::int64_t end) {
    Free& of = rows_[{rank, row}];
    if (!of.by_end.empty() && of.by_end.begin()->first <= begin) {
      for (auto first = of.by_end.begin(); first != of.by_end.end() && first->first <= begin;
           first = of.by_end.erase(first))
        of.idle.insert(first->second);
    }
    int lane = of.count;
    if (of.idle.empty())
      ++of.count;
    else
      lane = of.idle.extract(of.idle.begin()).value();
    // What takes no time must not share its moment with the next.
    of.by_end.emplace(std::max(end, begin + 1), lane);
    return row * most_lanes + lane;
  }
  template <class Each>
  void all(Each&& each) const {
    for (const auto& [key, of] : rows_)
      for (int i = 0; i < of.count; ++i)
        each(key.first, key.second, key.second * most_lanes + i,
             i == 0 ? row_names[key.second] : fmt::format("{} {}", row_names[key.second], i + 1));
  }

 private:
  struct Free {
    int count = 0;
    std::set<int> idle;
    std::multimap<std::int64_t, int> by_end;
  };
  std::map<std::pair<int, Row>, Free> rows_;
};

std::string name_of(const Trace::Event& event) {
  switch (event.kind) {
    case TraceEvent::Kind::send: return fmt::format("send to {}", event.peer);
    case TraceEvent::Kind::recv: return fmt::format("receive from {}", event.peer);
    case TraceEvent::Kind::reduce: return "combine";
    case TraceEvent::Kind::copy: return "copy";
    case TraceEvent::Kind::wait: break;
  }
  return "wait";
}

const char* category_of(TraceEvent::Kind kind) {
  constexpr const char* names[] = {"send", "recv", "reduce", "copy", "wait"};
  return names[static_cast<int>(kind)];
}

/// What stands on a thread: an event, or a rank's part in a call.
struct Slice {
  std::int64_t begin, end;
  std::size_t call;
  const Trace::Event* event;  // null: a call's part
  int rank;
};

std::vector<Slice> slices_by_time(const Trace& trace) {
  std::vector<Slice> slices;
  for (std::size_t c = 0; c < trace.calls.size(); ++c)
    for (const Trace::Part& part : trace.calls[c].parts)
      slices.push_back({part.begin, part.end, c, nullptr, part.rank});
  for (const Trace::Event& event : trace.events)
    slices.push_back({event.begin, event.end, event.call, &event, event.rank});
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.begin < b.begin; });
  return slices;
}

struct Line {
  std::int64_t time;
  std::int64_t length;  // the longer comes first; -1: after all of its time
  std::string text;
};

Line line_of(const Slice& slice, const Trace::Call& call, int tid) {
  const Trace::Event* const event = slice.event;
  std::string arguments = fmt::format("\"call\":{}", slice.call);
  if (event == nullptr) {
    if (call.bytes) arguments += fmt::format(",\"bytes\":{}", *call.bytes);
  } else if (event->kind != TraceEvent::Kind::wait) {
    if (event->peer >= 0) arguments += fmt::format(",\"peer\":{}", event->peer);
    arguments += fmt::format(",\"round\":{},\"bytes\":{}", event->round, event->bytes);
    if (event->message >= 0) arguments += fmt::format(",\"message\":{}", event->message);
  }
  const std::int64_t length = slice.end - slice.begin;
  return {
      slice.begin, length,
      fmt::format(
          R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
          in_quotes(event == nullptr ? call.name : name_of(*event)),
          event == nullptr ? "call" : category_of(event->kind), slice.rank, tid, micro(slice.begin),
          micro(length), arguments)};
}

/// Where an arrow begins or ends at its message's send or receive.
std::optional<Line> arrow_of(const Slice& slice, const std::vector<MessageEnds>& messages,
                             int tid) {
  const Trace::Event* const event = slice.event;
  if (event == nullptr || event->message < 0) return std::nullopt;
  const auto& [send, recv] = messages[static_cast<std::size_t>(event->message)];
  // An arrow back in time is none; how many there are is told at the end.
  if (send == nullptr || recv == nullptr || recv->end < send->begin) return std::nullopt;
  const bool starts = event == send;
  // Within the slice that it ends in.
  const std::int64_t time =
      starts ? slice.begin : std::max({slice.begin, send->begin, slice.end - 1});
  return Line{
      time, -1,
      fmt::format(
          R"({{"ph":"{}","name":"message","cat":"message","id":{},"pid":{},"tid":{},"ts":{}{}}})",
          starts ? "s" : "f", event->message, slice.rank, tid, micro(time),
          starts ? "" : R"(,"bp":"e")")};
}

/// All slices and arrows, by time.
std::vector<Line> lines_of(const Trace& trace, Lanes& lanes) {
  std::vector<Line> lines;
  const auto messages = messages_of(trace);
  for (const Slice& slice : slices_by_time(trace)) {
    const Row row = slice.event == nullptr ? of_calls : row_of(slice.event->kind);
    const int tid = lanes.lane(slice.rank, row, slice.begin, slice.end);
    lines.push_back(line_of(slice, trace.calls[slice.call], tid));
    if (auto arrow = arrow_of(slice, messages, tid)) lines.push_back(*std::move(arrow));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.time != b.time ? a.time < b.time : a.length > b.length;
  });
  return lines;
}

/// The names of ranks and threads, and their order.
void add_metadata(std::string& text, const Trace& trace, const Lanes& lanes) {
  const auto metadata = [&](const char* name, int rank, int tid, const std::string& value) {
    text += fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0,"args":{{{}}}}},)"
                        "\n",
                        name, rank, tid, value);
  };
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const int rank = static_cast<int>(r);
    metadata(
        "process_name", rank, 0,
        fmt::format("\"name\":{}", in_quotes(fmt::format("rank {}, {}", r, trace.ranks[r].host))));
    metadata("process_sort_index", rank, 0, fmt::format("\"sort_index\":{}", r));
  }
  lanes.all([&](int rank, int, int tid, const std::string& name) {
    metadata("thread_name", rank, tid, fmt::format("\"name\":{}", in_quotes(name)));
    metadata("thread_sort_index", rank, tid, fmt::format("\"sort_index\":{}", tid));
  });
}

/// How each rank's clock differs from the first's.
void add_clocks(std::string& text, const Trace& trace) {
  text += "\"clocks\":[";
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const Trace::RankOfTrace& rank = trace.ranks[r];
    const ClockOffset& offset = rank.offset;
    const double seconds = static_cast<double>(offset.last_time - offset.first_time) * 1e-9;
    text += fmt::format(
        R"({}{{"rank":{},"host":{},"clock":{},"offset_us":{:.3f},"drift_us_per_s":{:.3f},"error_us":{:.3f}}})",
        r == 0 ? "\n" : ",\n", r, in_quotes(rank.host), offset.clock, offset.first * 1e-3,
        seconds > 0 ? (offset.last - offset.first) * 1e-3 / seconds : 0.0, offset.error * 1e-3);
  }
  text += "],\n";
}

/// How many messages are out of order, and how much was not kept.
void add_faults(std::string& text, const Trace& trace) {
  const Disorder disorder = disorder_of(trace);
  std::uint64_t dropped_events = trace.left_out, dropped_calls = 0;
  for (const Trace::RankOfTrace& rank : trace.ranks) {
    dropped_events += rank.dropped_events;
    dropped_calls += rank.dropped_calls;
  }
  text += fmt::format(
      "\"messages\":{},\"received_before_sent\":{},\"received_before_sent_us\":{},\n"
      "\"dropped_events\":{},\"dropped_calls\":{},\n",
      disorder.messages, disorder.before_sent, micro(disorder.worst), dropped_events,
      dropped_calls);
}

/// Each call, and how long each of its ranks did what.
void add_calls(std::string& text, const Trace& trace) {
  text += "\"calls\":[";
  const auto spans = spans_of(trace);
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const Trace::Call& call = trace.calls[c];
    text += fmt::format("{}{{\"name\":{},{}\"begin_us\":{},\"us\":{},\"ranks\":[",
                        c == 0 ? "\n" : ",\n", in_quotes(call.name),
                        call.bytes ? fmt::format("\"bytes\":{},", *call.bytes) : "",
                        micro(call.begin()), micro(call.end() - call.begin()));
    for (std::size_t i = 0; i < call.parts.size(); ++i) {
      std::int64_t sums[4] = {};
      for (const Span& span : spans[c][i])
        sums[static_cast<int>(span.doing)] += span.end - span.begin;
      text += fmt::format("{}{{\"rank\":{}", i == 0 ? "" : ",", call.parts[i].rank);
      for (int d = 0; d < 4; ++d)
        text += fmt::format(",\"{}_us\":{}", name_of(static_cast<Doing>(d)), micro(sums[d]));
      text += "}";
    }
    text += "]}";
  }
  text += "]";
}

}  // namespace

std::string to_chrome(const Trace& trace, std::string_view more) {
  Lanes lanes;
  const std::vector<Line> lines = lines_of(trace, lanes);
  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  add_metadata(text, trace, lanes);
  for (const Line& line : lines) {
    text += line.text;
    text += ",\n";
  }
  if (text.ends_with(",\n")) text.resize(text.size() - 2);
  text += "\n],\n";

  // Behind the events: Perfetto reads no further than a field that it does not know.
  text += fmt::format("\"tutti\":{{\"kind\":\"trace\",\"ranks\":{},{}{}\n", trace.ranks.size(),
                      more, more.empty() ? "" : ",");
  add_clocks(text, trace);
  add_faults(text, trace);
  add_calls(text, trace);
  return text + "}}\n";
}

}  // namespace tutti::core
