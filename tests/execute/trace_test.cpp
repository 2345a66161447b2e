// What ranks noted, put together on one clock and written as trace events.

#include "execute/trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace tutti::core {
namespace {

using Json = nlohmann::json;
using EventKind = TraceEvent::Kind;

constexpr std::int64_t communicator = 7;

/// Two ranks, of which the first sends two messages to the second, which answers with one. The
/// second's clock is `late` behind.
std::vector<RankTrace> two_ranks(std::int64_t late = 0) {
  RankTrace first, second;
  for (RankTrace* rank : {&first, &second}) {
    rank->host = rank == &first ? "here" : "\"there\"";
    rank->labels = {"allreduce/ring"};
    rank->communicators[communicator] = {0, 1};
  }
  const TraceCall::Key key{communicator, false, 3};
  // Noted in the order of their ends; `order` says which message is which.
  first.events = {{EventKind::wait, -1, 0, 0, 0, 0, 1500, 1900},
                  {EventKind::send, 1, 0, 1, 2, 64, 1400, 1800},
                  {EventKind::send, 1, 0, 0, 0, 32, 1100, 2000},
                  {EventKind::recv, 1, 0, 1, 3, 16, 1100, 2600},
                  {EventKind::reduce, -1, 0, 1, 3, 16, 2600, 2700}};
  first.calls = {{key, 0, 0, 96, true, 1000, 3000}};
  second.events = {{EventKind::recv, 0, 5, 0, 0, 32, 1200, 2100},
                   {EventKind::recv, 0, 5, 1, 1, 64, 1200, 2200},
                   {EventKind::send, 0, 5, 1, 2, 16, 2300, 2350}};
  second.calls = {{key, 5, 0, 96, true, 1150, 2500}};
  for (TraceEvent& event : second.events) event.begin -= late, event.end -= late;
  second.calls[0].begin -= late;
  second.calls[0].end -= late;
  const auto offset = static_cast<double>(late);
  second.offset = {0, 0, offset, offset, 10, 1};
  return {first, second};
}

const Trace::Event& find(const Trace& trace, EventKind kind, int rank, std::uint64_t bytes) {
  for (const Trace::Event& event : trace.events)
    if (event.kind == kind && event.rank == rank && event.bytes == bytes) return event;
  throw std::runtime_error("no such event");
}

TEST(Trace, EachSendMeetsItsReceive) {
  for (const std::int64_t late : {0, 5'000'000, -5'000'000}) {
    const Trace trace = merge(two_ranks(late));
    ASSERT_EQ(trace.calls.size(), 1u);
    EXPECT_EQ(trace.calls[0].parts.size(), 2u);
    EXPECT_EQ(trace.calls[0].begin(), 0) << "times begin at 0";
    EXPECT_EQ(trace.calls[0].end(), 2000);
    EXPECT_EQ(trace.events.size(), 8u);
    for (const auto& [from, to, bytes] : {std::tuple{0, 1, 32}, {0, 1, 64}, {1, 0, 16}}) {
      const Trace::Event& send =
          find(trace, EventKind::send, from, static_cast<std::uint64_t>(bytes));
      const Trace::Event& recv =
          find(trace, EventKind::recv, to, static_cast<std::uint64_t>(bytes));
      EXPECT_GE(send.message, 0);
      EXPECT_EQ(send.message, recv.message) << bytes;
      EXPECT_EQ(send.peer, to);
      EXPECT_EQ(recv.peer, from);
      EXPECT_LE(send.begin, recv.end);
    }
    const Disorder disorder = disorder_of(trace);
    EXPECT_EQ(disorder.messages, 3u);
    EXPECT_EQ(disorder.before_sent, 0u);
  }
}

TEST(Trace, ClocksDriftEvenlyBetweenComparisons) {
  const ClockOffset offset{100, 300, 10, 30, 0, 0};
  EXPECT_EQ(offset.at(100), 10);
  EXPECT_EQ(offset.at(200), 20);
  EXPECT_EQ(offset.at(300), 30);
  const ClockOffset once{100, 100, 10, 10, 0, 0};
  EXPECT_EQ(once.at(500), 10);
}

TEST(Trace, PacksAndUnpacks) {
  const std::vector<RankTrace> ranks = two_ranks();
  std::vector<RankTrace> copies;
  for (const RankTrace& rank : ranks) copies.push_back(unpack(pack(rank)));
  EXPECT_EQ(to_chrome(merge(ranks)), to_chrome(merge(copies)));
  const std::string bytes = pack(ranks[0]);
  EXPECT_THROW(unpack(std::string_view(bytes).substr(0, bytes.size() - 1)), std::runtime_error);
}

TEST(Trace, CallsThatNotAllHaveNotedAreLeftOut) {
  std::vector<RankTrace> ranks = two_ranks();
  ranks[1].calls.clear();
  const Trace trace = merge(ranks);
  EXPECT_TRUE(trace.calls.empty());
  EXPECT_TRUE(trace.events.empty());
  EXPECT_EQ(trace.left_out, 8u);
}

TEST(Trace, CallsOfTheMpiArePutTogetherAsFarAsTheyAreKnown) {
  std::vector<RankTrace> ranks = two_ranks();
  for (RankTrace& rank : ranks) {
    rank.events.clear();
    rank.labels = {"allreduce/native"};
    rank.calls[0].key.is_native = true;
    rank.calls.push_back(rank.calls[0]);
    rank.calls[1].key = {-1, true, 0};  // nobody knows of which communicator
  }
  EXPECT_EQ(merge(ranks).calls.size(), 3u);
}

TEST(Trace, WhatARankDoesFillsTheCall) {
  const Trace trace = merge(two_ranks());
  const auto spans = spans_of(trace);
  ASSERT_EQ(spans.size(), 1u);
  // The first: sends, until the second has got both, and receives the answer from when it is sent.
  const std::vector<Span> first = {{Doing::idles, 0, 100},        {Doing::communicates, 100, 1200},
                                   {Doing::idles, 1200, 1300},    {Doing::communicates, 1300, 1600},
                                   {Doing::combines, 1600, 1700}, {Doing::idles, 1700, 2000}};
  EXPECT_EQ(spans[0][0], first);
  const std::vector<Span> second = {
      {Doing::is_away, 0, 150},          {Doing::idles, 150, 200},
      {Doing::communicates, 200, 1200},  {Doing::idles, 1200, 1300},
      {Doing::communicates, 1300, 1500}, {Doing::is_away, 1500, 2000}};
  EXPECT_EQ(spans[0][1], second);
}

/// Valid, sorted, nested on every thread, and as many events as were noted.
Json checked(const std::string& text) {
  const Json json = Json::parse(text);
  double last = 0;
  std::map<std::pair<int, int>, double> ends;
  std::map<int, Json> starts, finishes;
  for (const Json& event : json["traceEvents"]) {
    const double ts = event["ts"];
    EXPECT_GE(ts, last);
    last = ts;
    const std::string ph = event["ph"];
    const std::pair<int, int> thread = {event["pid"], event["tid"]};
    if (ph == "X") {
      EXPECT_GE(ts + 1e-9, ends[thread]) << "two at a time on one thread";
      ends[thread] = ts + event["dur"].get<double>();
    }
    if (ph == "s") starts[event["id"]] = event;
    if (ph == "f") finishes[event["id"]] = event;
  }
  EXPECT_EQ(starts.size(), finishes.size());
  for (const auto& [id, start] : starts)
    EXPECT_LE(start["ts"].get<double>(), finishes.at(id)["ts"].get<double>());
  return json;
}

TEST(Trace, IsValidSortedAndNested) {
  const Json json = checked(to_chrome(merge(two_ranks()), R"("version":"1")"));
  int slices = 0, flows = 0;
  std::map<std::string, int> names;
  for (const Json& event : json["traceEvents"]) {
    slices += event["ph"] == "X";
    flows += event["ph"] == "s";
    if (event["ph"] == "M") ++names[event["name"]];
  }
  EXPECT_EQ(slices, 10) << "eight events and two ranks in a call";
  EXPECT_EQ(flows, 3);
  EXPECT_EQ(names["process_name"], 2);
  const Json& mine = json["tutti"];
  EXPECT_EQ(mine["version"], "1");
  EXPECT_EQ(mine["ranks"], 2);
  EXPECT_EQ(mine["messages"], 3);
  EXPECT_EQ(mine["received_before_sent"], 0);
  EXPECT_EQ(mine["clocks"][1]["host"], "\"there\"");
  EXPECT_EQ(mine["clocks"][1]["error_us"], 0.01);
  EXPECT_EQ(mine["calls"][0]["bytes"], 96);
  double sum = 0;
  for (const char* field : {"communication_us", "combining_us", "idle_us", "away_us"})
    sum += mine["calls"][0]["ranks"][1][field].get<double>();
  EXPECT_DOUBLE_EQ(sum, mine["calls"][0]["us"].get<double>());
  EXPECT_EQ(std::prev(json.end()).key(), "tutti") << "Perfetto reads no further";
}

TEST(Trace, ClocksThatAreWrongAreToldOf) {
  std::vector<RankTrace> ranks = two_ranks();
  ranks[1].offset.first = ranks[1].offset.last = -5000;
  const Json json = checked(to_chrome(merge(ranks)));
  EXPECT_EQ(json["tutti"]["messages"], 3);
  EXPECT_EQ(json["tutti"]["received_before_sent"], 2);
  EXPECT_EQ(json["tutti"]["received_before_sent_us"], 4.2);  // sent at 1400, there at 2200 - 5000
  int flows = 0;
  for (const Json& event : json["traceEvents"]) flows += event["ph"] == "s";
  EXPECT_EQ(flows, 1) << "no arrow goes back in time";
}

TEST(Trace, NothingIsATraceToo) {
  const Json json = checked(to_chrome(merge({RankTrace{}, RankTrace{}})));
  EXPECT_TRUE(json["tutti"]["calls"].empty());
}

TEST(Recorder, KeepsWhatFitsAndCountsTheRest) {
  Recorder recorder(3, [] { return std::int64_t{1}; });
  const auto label = [&](const int& row) { return recorder.label(&row, [] { return "a"; }); };
  const int rows[2] = {};
  EXPECT_EQ(label(rows[0]), 0u);
  EXPECT_EQ(label(rows[1]), 1u);
  EXPECT_EQ(label(rows[0]), 0u);
  for (std::uint64_t i = 0; i < 3; ++i) recorder.note(TraceEvent{.bytes = i});
  TraceCall call;
  call.number = 0;
  recorder.note(call);
  EXPECT_EQ(recorder.calls().size(), 1u) << "all its events are there";
  for (std::uint64_t i = 3; i < 5; ++i) recorder.note(TraceEvent{.bytes = i});
  call.number = 1;
  recorder.note(call);
  EXPECT_EQ(recorder.calls().size(), 1u) << "some of its events are not there";
  EXPECT_EQ(recorder.events().size(), 3u);
  EXPECT_EQ(recorder.events()[2].bytes, 2u);
  EXPECT_EQ(recorder.dropped_events(), 2u);
  EXPECT_EQ(recorder.dropped_calls(), 1u);
}

}  // namespace
}  // namespace tutti::core
