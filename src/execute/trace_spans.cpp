// What each rank does in a call, at every time of it.

#include <algorithm>
#include <map>
#include <utility>

#include "execute/trace.hpp"

namespace tutti::core {

std::string_view name_of(Doing doing) {
  constexpr std::string_view names[] = {"communication", "combining", "idle", "away"};
  return names[static_cast<int>(doing)];
}

namespace {

/// From a time on, more of a part's events do something, or fewer.
struct Change {
  std::int64_t time;
  Doing doing;
  int by;
};

/// Of each part of each call.
std::vector<std::vector<std::vector<Change>>> changes_of(const Trace& trace) {
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
  return changes;
}

/// Of a part whose call lasts from `first` to `last`.
std::vector<Span> spans_of(const Trace::Part& part, std::int64_t first, std::int64_t last,
                           std::vector<Change> changes) {
  std::vector<Span> spans;
  const auto add = [&](Doing doing, std::int64_t begin, std::int64_t end) {
    if (begin >= end) return;
    if (!spans.empty() && spans.back().doing == doing && spans.back().end == begin)
      spans.back().end = end;
    else
      spans.push_back({doing, begin, end});
  };
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.time < b.time; });
  std::int64_t since = part.begin;
  int counts[2] = {};
  const auto doing = [&] {
    return counts[1] > 0 ? Doing::combines : counts[0] > 0 ? Doing::communicates : Doing::idles;
  };
  add(Doing::is_away, first, since);
  for (const Change& change : changes) {
    add(doing(), since, change.time);
    since = change.time;
    counts[change.doing == Doing::combines] += change.by;
  }
  add(doing(), since, part.end);
  add(Doing::is_away, part.end, last);
  return spans;
}

}  // namespace

std::vector<std::vector<std::vector<Span>>> spans_of(const Trace& trace) {
  auto changes = changes_of(trace);
  std::vector<std::vector<std::vector<Span>>> all(trace.calls.size());
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const Trace::Call& call = trace.calls[c];
    const std::int64_t first = call.begin(), last = call.end();
    for (std::size_t i = 0; i < call.parts.size(); ++i)
      all[c].push_back(spans_of(call.parts[i], first, last, std::move(changes[c][i])));
  }
  return all;
}

}  // namespace tutti::core
