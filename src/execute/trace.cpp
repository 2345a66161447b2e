// What all ranks did, brought together on one clock.

#include "execute/trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace tutti::core {

Recorder* recorder = nullptr;

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

/// From 0 on, calls and events in the order they begin.
void sort_by_time(Trace& trace) {
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
  sort_by_time(trace);
  return trace;
}

std::vector<MessageEnds> messages_of(const Trace& trace) {
  std::vector<MessageEnds> messages;
  for (const Trace::Event& event : trace.events) {
    if (event.message < 0) continue;
    const auto place = static_cast<std::size_t>(event.message);
    if (messages.size() <= place) messages.resize(place + 1);
    (event.kind == TraceEvent::Kind::send ? messages[place].send : messages[place].recv) = &event;
  }
  return messages;
}

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

}  // namespace tutti::core
