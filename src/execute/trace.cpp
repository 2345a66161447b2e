// What all ranks did, brought together on one clock, and written down.

#include "execute/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>

namespace tutti::core {

Recorder* recorder = nullptr;

namespace {

class Packer {
 public:
  template <class T>
  void number(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void list(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> values(number<std::size_t>());
    const std::string_view from = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), from.data(), from.size());
    return values;
  }
  std::string text() { return std::string(take(number<std::size_t>())); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("a rank's trace is not whole: run it again");
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  std::string_view bytes_;
};

}  // namespace

std::string pack(const RankTrace& trace) {
  Packer out;
  out.text(trace.host);
  out.number(trace.offset);
  out.list(trace.events);
  out.list(trace.calls);
  out.number(trace.labels.size());
  for (const std::string& label : trace.labels) out.text(label);
  out.number(trace.communicators.size());
  for (const auto& [id, ranks] : trace.communicators) {
    out.number(id);
    out.list(ranks);
  }
  out.number(trace.dropped_events);
  out.number(trace.dropped_calls);
  return out.take();
}

RankTrace unpack(std::string_view bytes) {
  Unpacker in(bytes);
  RankTrace trace;
  trace.host = in.text();
  trace.offset = in.number<ClockOffset>();
  trace.events = in.list<TraceEvent>();
  trace.calls = in.list<TraceCall>();
  for (auto count = in.number<std::size_t>(); count > 0; --count) trace.labels.push_back(in.text());
  for (auto count = in.number<std::size_t>(); count > 0; --count) {
    const auto id = in.number<std::int64_t>();
    trace.communicators[id] = in.list<int>();
  }
  trace.dropped_events = in.number<std::uint64_t>();
  trace.dropped_calls = in.number<std::uint64_t>();
  return trace;
}

std::int64_t Trace::Call::begin() const {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Part& part : parts) first = std::min(first, part.begin);
  return first;
}

std::int64_t Trace::Call::end() const {
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const Part& part : parts) last = std::max(last, part.end);
  return last;
}

namespace {

/// A call as its ranks have noted it: where each one's stands.
struct Gathered {
  std::vector<std::pair<int, std::size_t>> parts;  // rank of the world, place in its calls
};

/// Of one communicator's calls those that all its ranks have; all others as they are.
std::map<std::pair<TraceCall::Key, int>, Gathered> gather(const std::vector<RankTrace>& ranks) {
  std::map<std::pair<TraceCall::Key, int>, Gathered> calls;
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r)
    for (std::size_t i = 0; i < ranks[r].calls.size(); ++i) {
      TraceCall::Key key = ranks[r].calls[i].key;
      const bool is_alone = key.communicator < 0;
      if (is_alone) key.turn = static_cast<std::uint32_t>(i);
      calls[{key, is_alone ? r : -1}].parts.emplace_back(r, i);
    }
  std::erase_if(calls, [&](const auto& each) {
    const TraceCall::Key& key = each.first.first;
    if (key.communicator < 0 || key.is_native) return false;
    const auto& known = ranks[each.second.parts.front().first].communicators;
    const auto found = known.find(key.communicator);
    return found == known.end() || found->second.size() != each.second.parts.size();
  });
  return calls;
}

/// The k-th message that a rank sends to another in a call is the k-th that this one receives.
void pair_messages(Trace& trace, const std::vector<std::uint32_t>& order) {
  using Pair = std::tuple<std::uint32_t, int, int>;  // call, from, to
  std::map<Pair, std::array<std::vector<std::size_t>, 2>> pairs;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Trace::Event& event = trace.events[i];
    if (event.kind == TraceEvent::Kind::send)
      pairs[{event.call, event.rank, event.peer}][0].push_back(i);
    else if (event.kind == TraceEvent::Kind::recv)
      pairs[{event.call, event.peer, event.rank}][1].push_back(i);
  }
  std::int64_t number = 0;
  for (auto& [pair, lists] : pairs) {
    for (auto& list : lists)
      std::sort(list.begin(), list.end(),
                [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
    for (std::size_t k = 0; k < std::min(lists[0].size(), lists[1].size()); ++k, ++number)
      trace.events[lists[0][k]].message = trace.events[lists[1][k]].message = number;
  }
}

}  // namespace

Trace merge(const std::vector<RankTrace>& ranks) {
  Trace trace;
  const auto common = [&](int rank, std::int64_t time) {
    return time + static_cast<std::int64_t>(std::llround(ranks[rank].offset.at(time)));
  };
  for (const RankTrace& rank : ranks)
    trace.ranks.push_back({rank.host, rank.offset, rank.dropped_events, rank.dropped_calls});

  // By rank, from its number of a call: the call, and the communicator's ranks.
  struct Known {
    std::uint32_t call;
    const std::vector<int>* peers;
  };
  std::vector<std::map<std::uint32_t, Known>> known(ranks.size());
  for (const auto& [key, gathered] : gather(ranks)) {
    const auto& [first_rank, first_place] = gathered.parts.front();
    const TraceCall& first = ranks[first_rank].calls[first_place];
    Trace::Call call;
    call.name = ranks[first_rank].labels.at(first.label);
    if (first.knows_bytes) call.bytes = first.bytes;
    for (const auto& [r, place] : gathered.parts) {
      const TraceCall& mine = ranks[r].calls[place];
      call.parts.push_back({r, common(r, mine.begin), common(r, mine.end)});
      const auto peers = ranks[r].communicators.find(mine.key.communicator);
      known[r][mine.number] = {static_cast<std::uint32_t>(trace.calls.size()),
                               peers != ranks[r].communicators.end() ? &peers->second : nullptr};
    }
    trace.calls.push_back(std::move(call));
  }

  std::vector<std::uint32_t> order;
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r)
    for (const TraceEvent& event : ranks[r].events) {
      const auto found = known[r].find(event.call);
      if (found == known[r].end()) {
        ++trace.left_out;
        continue;
      }
      const auto [call, peers] = found->second;
      const int peer = event.peer >= 0 && peers != nullptr
                           ? peers->at(static_cast<std::size_t>(event.peer))
                           : -1;
      trace.events.push_back({event.kind, r, peer, call, event.round, event.bytes,
                              common(r, event.begin), common(r, event.end)});
      order.push_back(event.order);
    }
  pair_messages(trace, order);

  // From 0 on, in the order of time.
  std::int64_t zero = std::numeric_limits<std::int64_t>::max();
  for (const Trace::Call& call : trace.calls) zero = std::min(zero, call.begin());
  for (const Trace::Event& event : trace.events) zero = std::min(zero, event.begin);
  for (Trace::Call& call : trace.calls)
    for (Trace::Part& part : call.parts) part.begin -= zero, part.end -= zero;
  for (Trace::Event& event : trace.events) event.begin -= zero, event.end -= zero;
  std::vector<std::uint32_t> places(trace.calls.size()), now_at(trace.calls.size());
  for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return trace.calls[a].begin() < trace.calls[b].begin();
  });
  std::vector<Trace::Call> calls;
  for (const std::uint32_t place : places) {
    now_at[place] = static_cast<std::uint32_t>(calls.size());
    calls.push_back(std::move(trace.calls[place]));
  }
  trace.calls = std::move(calls);
  for (Trace::Event& event : trace.events) event.call = now_at[event.call];
  std::stable_sort(trace.events.begin(), trace.events.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return trace;
}

namespace {

/// Of each message its send and its receive; null where one is missing.
std::vector<std::pair<const Trace::Event*, const Trace::Event*>> messages_of(const Trace& trace) {
  std::vector<std::pair<const Trace::Event*, const Trace::Event*>> messages;
  for (const Trace::Event& event : trace.events) {
    if (event.message < 0) continue;
    const auto place = static_cast<std::size_t>(event.message);
    if (messages.size() <= place) messages.resize(place + 1);
    (event.kind == TraceEvent::Kind::send ? messages[place].first : messages[place].second) =
        &event;
  }
  return messages;
}

}  // namespace

Disorder disorder_of(const Trace& trace) {
  Disorder result;
  for (const auto& [send, recv] : messages_of(trace)) {
    if (send == nullptr || recv == nullptr) continue;
    ++result.messages;
    if (recv->end >= send->begin) continue;
    ++result.before_sent;
    result.worst = std::max(result.worst, send->begin - recv->end);
  }
  return result;
}

std::string_view name_of(Doing doing) {
  constexpr std::string_view names[] = {"communication", "combining", "idle", "away"};
  return names[static_cast<int>(doing)];
}

std::vector<std::vector<std::vector<Span>>> spans_of(const Trace& trace) {
  // What each part does, and when: changes of how many do it.
  struct Change {
    std::int64_t time;
    Doing doing;
    int by;
  };
  std::vector<std::vector<std::vector<Change>>> changes(trace.calls.size());
  std::vector<std::map<int, std::size_t>> part_of(trace.calls.size());
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    changes[c].resize(trace.calls[c].parts.size());
    for (std::size_t i = 0; i < trace.calls[c].parts.size(); ++i)
      part_of[c][trace.calls[c].parts[i].rank] = i;
  }
  const auto does = [&](const Trace::Event& who, Doing doing, std::int64_t begin,
                        std::int64_t end) {
    const auto found = part_of[who.call].find(who.rank);
    if (found == part_of[who.call].end()) return;
    const Trace::Part& part = trace.calls[who.call].parts[found->second];
    begin = std::max(begin, part.begin);
    end = std::min(end, part.end);
    if (begin >= end) return;
    changes[who.call][found->second].push_back({begin, doing, 1});
    changes[who.call][found->second].push_back({end, doing, -1});
  };
  for (const Trace::Event& event : trace.events) {
    if (event.kind == TraceEvent::Kind::send)
      does(event, Doing::communicates, event.begin, event.end);
    if (event.kind == TraceEvent::Kind::reduce || event.kind == TraceEvent::Kind::copy)
      does(event, Doing::combines, event.begin, event.end);
  }
  for (const auto& [send, recv] : messages_of(trace)) {
    if (send == nullptr || recv == nullptr) continue;
    const std::int64_t begin = std::max(send->begin, recv->begin);
    does(*send, Doing::communicates, begin, recv->end);
    does(*recv, Doing::communicates, begin, recv->end);
  }

  std::vector<std::vector<std::vector<Span>>> all(trace.calls.size());
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const Trace::Call& call = trace.calls[c];
    const std::int64_t first = call.begin(), last = call.end();
    for (std::size_t i = 0; i < call.parts.size(); ++i) {
      std::vector<Span>& spans = all[c].emplace_back();
      const auto add = [&](Doing doing, std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        if (!spans.empty() && spans.back().doing == doing && spans.back().end == begin)
          spans.back().end = end;
        else
          spans.push_back({doing, begin, end});
      };
      auto& list = changes[c][i];
      std::sort(list.begin(), list.end(),
                [](const Change& a, const Change& b) { return a.time < b.time; });
      std::int64_t since = call.parts[i].begin;
      int counts[2] = {};
      const auto doing = [&] {
        return counts[1] > 0 ? Doing::combines : counts[0] > 0 ? Doing::communicates : Doing::idles;
      };
      add(Doing::is_away, first, since);
      for (const Change& change : list) {
        add(doing(), since, change.time);
        since = change.time;
        counts[change.doing == Doing::combines] += change.by;
      }
      add(doing(), since, call.parts[i].end);
      add(Doing::is_away, call.parts[i].end, last);
    }
  }
  return all;
}

namespace {

std::string quoted(std::string_view text) {
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

}  // namespace

std::string to_chrome(const Trace& trace, std::string_view more) {
  struct Line {
    std::int64_t time;
    std::int64_t length;  // the longer comes first; -1: after all of its time
    std::string text;
  };
  std::vector<Line> lines;
  Lanes lanes;
  // Lanes are given in the order of time.
  struct Slice {
    std::int64_t begin, end;
    std::size_t call;
    const Trace::Event* event;  // null: a call's part
    int rank;
  };
  std::vector<Slice> slices;
  for (std::size_t c = 0; c < trace.calls.size(); ++c)
    for (const Trace::Part& part : trace.calls[c].parts)
      slices.push_back({part.begin, part.end, c, nullptr, part.rank});
  for (const Trace::Event& event : trace.events)
    slices.push_back({event.begin, event.end, event.call, &event, event.rank});
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.begin < b.begin; });

  const auto messages = messages_of(trace);
  for (const Slice& slice : slices) {
    const Trace::Event* const event = slice.event;
    const int tid = lanes.lane(slice.rank, event == nullptr ? of_calls : row_of(event->kind),
                               slice.begin, slice.end);
    const Trace::Call& call = trace.calls[slice.call];
    std::string arguments = fmt::format("\"call\":{}", slice.call);
    if (event == nullptr) {
      if (call.bytes) arguments += fmt::format(",\"bytes\":{}", *call.bytes);
    } else if (event->kind != TraceEvent::Kind::wait) {
      if (event->peer >= 0) arguments += fmt::format(",\"peer\":{}", event->peer);
      arguments += fmt::format(",\"round\":{},\"bytes\":{}", event->round, event->bytes);
      if (event->message >= 0) arguments += fmt::format(",\"message\":{}", event->message);
    }
    const std::int64_t length = slice.end - slice.begin;
    lines.push_back(
        {slice.begin, length,
         fmt::format(
             R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})",
             quoted(event == nullptr ? call.name : name_of(*event)),
             event == nullptr ? "call" : category_of(event->kind), slice.rank, tid,
             micro(slice.begin), micro(length), arguments)});
    if (event == nullptr || event->message < 0) continue;
    const auto& [send, recv] = messages[static_cast<std::size_t>(event->message)];
    // An arrow back in time is none; how many there are is told at the end.
    if (send == nullptr || recv == nullptr || recv->end < send->begin) continue;
    const bool starts = event == send;
    // Within the slice that it ends in.
    const std::int64_t time =
        starts ? slice.begin : std::max({slice.begin, send->begin, slice.end - 1});
    lines.push_back(
        {time, -1,
         fmt::format(
             R"({{"ph":"{}","name":"message","cat":"message","id":{},"pid":{},"tid":{},"ts":{}{}}})",
             starts ? "s" : "f", event->message, slice.rank, tid, micro(time),
             starts ? "" : R"(,"bp":"e")")});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.time != b.time ? a.time < b.time : a.length > b.length;
  });

  std::string text = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  const auto metadata = [&](const char* name, int rank, int tid, const std::string& value) {
    text += fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"ts":0,"args":{{{}}}}},)"
                        "\n",
                        name, rank, tid, value);
  };
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const int rank = static_cast<int>(r);
    metadata(
        "process_name", rank, 0,
        fmt::format("\"name\":{}", quoted(fmt::format("rank {}, {}", r, trace.ranks[r].host))));
    metadata("process_sort_index", rank, 0, fmt::format("\"sort_index\":{}", r));
  }
  lanes.all([&](int rank, int, int tid, const std::string& name) {
    metadata("thread_name", rank, tid, fmt::format("\"name\":{}", quoted(name)));
    metadata("thread_sort_index", rank, tid, fmt::format("\"sort_index\":{}", tid));
  });
  for (const Line& line : lines) {
    text += line.text;
    text += ",\n";
  }
  if (text.ends_with(",\n")) text.resize(text.size() - 2);
  text += "\n],\n";

  // Behind the events: Perfetto reads no further than a field that it does not know.
  const Disorder disorder = disorder_of(trace);
  std::uint64_t dropped_events = trace.left_out, dropped_calls = 0;
  text += fmt::format("\"tutti\":{{\"kind\":\"trace\",\"ranks\":{},{}{}\n\"clocks\":[",
                      trace.ranks.size(), more, more.empty() ? "" : ",");
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
    const Trace::RankOfTrace& rank = trace.ranks[r];
    const ClockOffset& offset = rank.offset;
    const double seconds = static_cast<double>(offset.last_time - offset.first_time) * 1e-9;
    text += fmt::format(
        R"({}{{"rank":{},"host":{},"clock":{},"offset_us":{:.3f},"drift_us_per_s":{:.3f},"error_us":{:.3f}}})",
        r == 0 ? "\n" : ",\n", r, quoted(rank.host), offset.clock, offset.first * 1e-3,
        seconds > 0 ? (offset.last - offset.first) * 1e-3 / seconds : 0.0, offset.error * 1e-3);
    dropped_events += rank.dropped_events;
    dropped_calls += rank.dropped_calls;
  }
  text += fmt::format(
      "],\n\"messages\":{},\"received_before_sent\":{},\"received_before_sent_us\":{},\n"
      "\"dropped_events\":{},\"dropped_calls\":{},\n\"calls\":[",
      disorder.messages, disorder.before_sent, micro(disorder.worst), dropped_events,
      dropped_calls);
  const auto spans = spans_of(trace);
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const Trace::Call& call = trace.calls[c];
    text += fmt::format("{}{{\"name\":{},{}\"begin_us\":{},\"us\":{},\"ranks\":[",
                        c == 0 ? "\n" : ",\n", quoted(call.name),
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
  return text + "]}}\n";
}

}  // namespace tutti::core
