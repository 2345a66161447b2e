// A trace file as the page shows it: its longest calls, beside what the model says of them.

#include "cli/trace_document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "model/replay.hpp"
#include "schedule/match.hpp"

namespace tutti::core::cli {

using Json = nlohmann::ordered_json;

namespace {

/// What a page can hold.
constexpr std::size_t most_calls = 500, most_messages = 50'000;

std::int64_t nanoseconds(double microseconds) { return std::llround(microseconds * 1e3); }
double microseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }

TraceEvent::Kind kind_of(const JsonReader& category) {
  constexpr std::array<std::string_view, 5> names = {"send", "recv", "reduce", "copy", "wait"};
  const auto found = std::find(names.begin(), names.end(), category.text());
  if (found == names.end()) category.fail("must be call, send, recv, reduce, copy or wait");
  return static_cast<TraceEvent::Kind>(found - names.begin());
}

}  // namespace

Trace read_trace(const JsonReader& document) {
  const JsonReader head = document.at("tutti");
  constexpr std::uint64_t most = 1 << 24;
  Trace trace;
  trace.ranks.resize(head.at("ranks").number(most));
  for (const JsonReader& call : head.at("calls").list()) {
    Trace::Call& read = trace.calls.emplace_back();
    read.name = call.at("name").text();
    if (call.has("bytes")) read.bytes = call.at("bytes").number();
  }
  for (const JsonReader& event : document.at("traceEvents").list()) {
    if (event.at("ph").text() != "X") continue;
    const JsonReader arguments = event.at("args");
    const auto rank = event.at("pid").number();
    if (rank >= trace.ranks.size()) event.at("pid").fail("is no rank");
    const auto call = arguments.at("call").number();
    if (call >= trace.calls.size()) arguments.at("call").fail("is no call");
    const std::int64_t begin = nanoseconds(event.at("ts").real());
    const std::int64_t end = begin + nanoseconds(event.at("dur").real());
    if (event.at("cat").text() == "call") {
      trace.calls[call].parts.push_back({static_cast<int>(rank), begin, end});
      continue;
    }
    Trace::Event read{.kind = kind_of(event.at("cat")),
                      .rank = static_cast<int>(rank),
                      .call = static_cast<std::uint32_t>(call),
                      .begin = begin,
                      .end = end};
    if (arguments.has("peer")) {
      const auto peer = arguments.at("peer").number();
      if (peer >= trace.ranks.size()) arguments.at("peer").fail("is no rank");
      read.peer = static_cast<int>(peer);
    }
    if (arguments.has("round"))
      read.round = static_cast<std::uint32_t>(arguments.at("round").number(UINT32_MAX));
    if (arguments.has("bytes")) read.bytes = arguments.at("bytes").number();
    if (arguments.has("message"))
      read.message = static_cast<std::int64_t>(arguments.at("message").number(most * most));
    trace.events.push_back(read);
  }
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    auto& parts = trace.calls[c].parts;
    if (parts.empty()) head.at("calls").list()[c].fail("has no event in traceEvents");
    std::sort(parts.begin(), parts.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
  }
  return trace;
}

namespace {

/// One call alone, its ranks numbered from 0.
Trace alone(const Trace& trace, std::size_t call, const std::vector<const Trace::Event*>& events) {
  Trace one;
  one.calls = {trace.calls[call]};
  std::map<int, int> places;
  for (Trace::Part& part : one.calls[0].parts) {
    places[part.rank] = static_cast<int>(places.size());
    part.rank = places[part.rank];
  }
  one.ranks.resize(places.size());
  const std::int64_t zero = trace.calls[call].begin();
  for (Trace::Part& part : one.calls[0].parts) part.begin -= zero, part.end -= zero;
  std::map<std::int64_t, std::int64_t> messages;
  for (const Trace::Event* const event : events) {
    const auto rank = places.find(event->rank), peer = places.find(event->peer);
    if (rank == places.end() || (event->peer >= 0 && peer == places.end())) continue;
    Trace::Event& copy = one.events.emplace_back(*event);
    copy.call = 0;
    copy.rank = rank->second;
    if (event->peer >= 0) copy.peer = peer->second;
    copy.begin -= zero;
    copy.end -= zero;
    if (event->message >= 0)
      copy.message =
          messages.try_emplace(event->message, static_cast<std::int64_t>(messages.size()))
              .first->second;
  }
  return one;
}

/// What each rank sent, received and combined, round by round.
std::vector<Schedule> schedules_of(const Trace& one) {
  std::vector<std::vector<const Trace::Event*>> by_rank(one.ranks.size());
  for (const Trace::Event& event : one.events)
    if (event.kind != TraceEvent::Kind::wait && event.kind != TraceEvent::Kind::copy)
      by_rank[static_cast<std::size_t>(event.rank)].push_back(&event);
  std::vector<Schedule> schedules;
  for (auto& events : by_rank) {
    std::stable_sort(events.begin(), events.end(), [](const auto* a, const auto* b) {
      return a->round != b->round ? a->round < b->round : a->begin < b->begin;
    });
    Schedule& schedule = schedules.emplace_back();
    for (const Trace::Event* const event : events) {
      if (schedule.rounds.empty() || event->round != events[schedule.actions.size() - 1]->round)
        schedule.rounds.push_back(static_cast<std::uint32_t>(schedule.actions.size()));
      const auto first = static_cast<std::uint32_t>(schedule.slices.size());
      schedule.slices.push_back({Buffer::output, 0, event->bytes});
      const Kind kind = event->kind == TraceEvent::Kind::send   ? Kind::send
                        : event->kind == TraceEvent::Kind::recv ? Kind::recv
                                                                : Kind::reduce;
      schedule.actions.push_back(
          {.kind = kind, .peer = event->peer, .first = first, .last = first + 1});
    }
  }
  return schedules;
}

std::optional<Trace> plan(const Trace& one, const Rates& rates) {
  const std::vector<Schedule> schedules = schedules_of(one);
  Timeline times;
  try {
    times = timeline_of(schedules, 1, rates);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
  const auto whole = [](double seconds) { return std::llround(seconds * 1e9); };
  Trace planned;
  planned.ranks.resize(one.ranks.size());
  planned.calls = {one.calls[0]};
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const Schedule& schedule = schedules[r];
    const auto& ends = times.round_ends[r];
    planned.calls[0].parts[r] = {static_cast<int>(r), 0, ends.empty() ? 0 : whole(ends.back())};
    for (std::size_t t = 0; t < schedule.round_count(); ++t) {
      std::size_t combined = 0;
      for (const Action& action : schedule.round(t))
        if (action.combines()) combined += schedule.count_of(action);
      const double seconds = rates.gamma * static_cast<double>(combined);
      if (seconds > 0)
        planned.events.push_back({.kind = TraceEvent::Kind::reduce,
                                  .rank = static_cast<int>(r),
                                  .bytes = combined,
                                  .begin = whole(ends[t] - seconds),
                                  .end = whole(ends[t])});
    }
  }
  const Matching matching = match(schedules);
  for (std::size_t m = 0; m < matching.messages.size(); ++m) {
    const auto& [from, to] = matching.messages[m];
    const Schedule& sender = schedules[static_cast<std::size_t>(from.rank)];
    Trace::Event event{
        .kind = TraceEvent::Kind::send,
        .rank = from.rank,
        .peer = to.rank,
        .bytes = sender.count_of(sender.actions[static_cast<std::size_t>(from.action)]),
        .begin = whole(times.begins[m]),
        .end = whole(times.ends[m]),
        .message = static_cast<std::int64_t>(m)};
    planned.events.push_back(event);
    event.kind = TraceEvent::Kind::recv;
    std::swap(event.rank, event.peer);
    planned.events.push_back(event);
  }
  return planned;
}

std::vector<std::vector<const Trace::Event*>> by_call(const Trace& trace) {
  std::vector<std::vector<const Trace::Event*>> events(trace.calls.size());
  for (const Trace::Event& event : trace.events) events[event.call].push_back(&event);
  return events;
}

/// Times in microseconds; only what a picture needs where it is `drawn`.
Json json_of_trace(const Trace& one, bool drawn) {
  const auto spans = spans_of(one)[0];
  Json json{{"us", microseconds(one.calls[0].end())}, {"ranks", Json::array()}};
  for (const auto& list : spans) {
    std::int64_t sums[4] = {};
    Json flat = Json::array();
    for (const Span& span : list) {
      sums[static_cast<int>(span.doing)] += span.end - span.begin;
      flat.insert(flat.end(), {Json(static_cast<int>(span.doing)), Json(microseconds(span.begin)),
                               Json(microseconds(span.end))});
    }
    Json rank;
    for (int d = 0; d < 4; ++d)
      rank[fmt::format("{}_us", name_of(static_cast<Doing>(d)))] = microseconds(sums[d]);
    if (drawn) rank["spans"] = std::move(flat);
    json["ranks"].push_back(std::move(rank));
  }
  if (!drawn) return json;
  std::map<std::int64_t, std::pair<const Trace::Event*, const Trace::Event*>> messages;
  for (const Trace::Event& event : one.events)
    if (event.message >= 0)
      (event.kind == TraceEvent::Kind::send ? messages[event.message].first
                                            : messages[event.message].second) = &event;
  Json list = Json::array();
  for (const auto& [number, ends] : messages)
    if (ends.first != nullptr && ends.second != nullptr)
      list.push_back({ends.first->rank, ends.second->rank, microseconds(ends.first->begin),
                      microseconds(ends.second->end), ends.first->bytes});
  json["messages"] = std::move(list);
  return json;
}

}  // namespace

std::optional<Trace> planned_of(const Trace& trace, std::size_t call, const Rates& rates) {
  return plan(alone(trace, call, by_call(trace)[call]), rates);
}

Json trace_data(const JsonReader& document, const Rates* rates, const std::string& machine) {
  const Trace trace = read_trace(document);
  const JsonReader head = document.at("tutti");
  const JsonReader profile = head.at("profile");
  Rates own;
  own.alpha = profile.at("alpha_us").real() * 1e-6;
  own.beta = profile.at("beta_ns_per_byte").real() * 1e-9;
  own.alpha_uni = profile.at("alpha_uni_us").real() * 1e-6;
  own.beta_uni = profile.at("beta_uni_ns_per_byte").real() * 1e-9;
  own.gamma = profile.at("gamma_ns_per_byte").real() * 1e-9;
  Json json{{"ranks", trace.ranks.size()},
            {"mpi", head.at("mpi").text()},
            {"profile", rates != nullptr ? machine : profile.at("name").text()},
            {"all_calls", trace.calls.size()},
            {"calls", Json::array()}};
  double error = 0;
  Json hosts = Json::array();
  for (const JsonReader& clock : head.at("clocks").list()) {
    error = std::max(error, clock.at("error_us").real());
    hosts.push_back(clock.at("host").text());
  }
  json["hosts"] = std::move(hosts);
  json["clock_error_us"] = error;
  for (const char* field : {"messages", "received_before_sent", "dropped_events", "dropped_calls"})
    json[field] = head.at(field).number();
  json["received_before_sent_us"] = head.at("received_before_sent_us").real();

  // The longest calls, in the order of time.
  std::vector<std::size_t> calls(trace.calls.size());
  std::iota(calls.begin(), calls.end(), std::size_t{0});
  std::stable_sort(calls.begin(), calls.end(), [&](std::size_t a, std::size_t b) {
    const Trace::Call &x = trace.calls[a], &y = trace.calls[b];
    return x.end() - x.begin() > y.end() - y.begin();
  });
  calls.resize(std::min(calls.size(), most_calls));
  const auto events = by_call(trace);
  std::vector<char> drawn(trace.calls.size());
  std::size_t room = most_messages;
  for (const std::size_t c : calls)
    if (events[c].size() <= room) drawn[c] = 1, room -= events[c].size();
  std::sort(calls.begin(), calls.end());
  for (const std::size_t c : calls) {
    const Trace::Call& call = trace.calls[c];
    Json entry{{"name", call.name}, {"number", c}, {"begin_us", microseconds(call.begin())}};
    if (call.bytes) entry["bytes"] = *call.bytes;
    Json who = Json::array();
    for (const Trace::Part& part : call.parts) who.push_back(part.rank);
    entry["who"] = std::move(who);
    const Trace one = alone(trace, c, events[c]);
    entry["measured"] = json_of_trace(one, drawn[c] != 0);
    if (!one.events.empty())
      if (const auto planned = plan(one, rates != nullptr ? *rates : own))
        entry["planned"] = json_of_trace(*planned, drawn[c] != 0);
    json["calls"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace tutti::core::cli
