#include "schedule/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "schedule/builder.hpp"

namespace tutti::core {
namespace {

using Json = nlohmann::ordered_json;

/// Every kind of action, constants, a stage, an empty message.
Schedule sample() {
  Builder b;
  const std::vector<std::size_t> numbers{7, 1234567890123};
  const Slice header = b.constants(numbers);
  const Slice more = b.scratch(4);
  const Slice out{Buffer::output, 4, 8}, in{Buffer::input, 0, 4};
  b.send(header, 3);
  b.recv(Slices{out, in}, 0);
  b.learn(header, [=](Builder& next, std::span<const std::size_t>) {
    next.recv_reduce(out, 1, Side::right);
    next.round();
    next.reduce(in, more, Side::left);
    next.copy(Slices{in, in}, Slices{out});
    next.round();
    next.signal(2);
    next.await(2);
  });
  b.resume(numbers);
  return b.take();
}

/// The line with which a text is refused.
std::string refusal(const std::string& text) {
  try {
    parse_schedule(text);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string with_action(const std::string& action) {
  return R"({"scratch": 4, "constants": [], "stages": [], "rounds": [[)" + action + "]]}";
}

TEST(Json, RoundTripIsEqual) {
  EXPECT_EQ(schedule_from_json(to_json(sample())), sample());
  EXPECT_EQ(parse_schedule(to_json(sample()).dump()), sample());
  EXPECT_EQ(parse_schedule(to_json(sample()).dump(2)), sample());
  EXPECT_EQ(parse_schedule(to_json(Schedule{}).dump()), Schedule{});
}

TEST(Json, KeepsEmptyRounds) {
  Schedule schedule = sample();
  schedule.rounds.insert(schedule.rounds.begin() + 1, schedule.rounds[1]);
  EXPECT_EQ(parse_schedule(to_json(schedule).dump()), schedule);
}

TEST(Json, IsReadable) {
  Builder b;
  b.scratch(2);
  b.send(Slice{Buffer::output, 4, 8}, 3);
  b.recv_reduce(Slice{Buffer::scratch, 0, 2}, 1, Side::left);
  EXPECT_EQ(to_json(b.schedule()).dump(),
            R"({"scratch":2,"constants":[],"stages":[],"rounds":[[)"
            R"({"action":"send","to":3,"slices":[["output",4,8]]},)"
            R"({"action":"recv_reduce","from":1,"side":"left","slices":[["scratch",0,2]]}]]})");
}

TEST(Json, RefusesWhatIsNotASchedule) {
  EXPECT_EQ(refusal("{\"scratch\": 4,"), "schedule is not JSON, look at byte 15");
  EXPECT_EQ(refusal("[]"), "schedule must be an object");
  EXPECT_EQ(refusal(R"({"scratch": 4, "constants": [], "stages": []})"),
            "schedule lacks the field \"rounds\"");
  EXPECT_EQ(refusal(R"({"scratch": -4, "constants": [], "stages": [], "rounds": []})"),
            "schedule.scratch must be a whole number, 0 or more");
  EXPECT_EQ(refusal(R"({"scratch": 1.5, "constants": [], "stages": [], "rounds": []})"),
            "schedule.scratch must be a whole number, 0 or more");
  EXPECT_EQ(refusal(R"({"scratch": 4, "constants": [], "stages": [], "rounds": [], "x": 1})"),
            "schedule has an unknown field \"x\"");
  EXPECT_EQ(refusal(R"({"scratch": 4, "constants": [], "stages": [], "rounds": {}})"),
            "schedule.rounds must be a list");
}

TEST(Json, NamesTheWrongAction) {
  EXPECT_EQ(refusal(with_action("7")), "schedule.rounds[0][0] must be an object");
  EXPECT_EQ(refusal(with_action(R"({"to": 1, "slices": []})")),
            "schedule.rounds[0][0] lacks the field \"action\"");
  EXPECT_EQ(refusal(with_action(R"({"action": "sent", "to": 1, "slices": []})")),
            "schedule.rounds[0][0].action is \"sent\", but must be one of send, recv, recv_reduce, "
            "reduce, copy");
  EXPECT_EQ(refusal(with_action(R"({"action": "send", "from": 1, "slices": []})")),
            "schedule.rounds[0][0] lacks the field \"to\"");
  EXPECT_EQ(refusal(with_action(R"({"action": "send", "to": -1, "slices": []})")),
            "schedule.rounds[0][0].to must be a whole number, 0 or more");
  EXPECT_EQ(refusal(with_action(R"({"action": "send", "to": 4294967296, "slices": []})")),
            "schedule.rounds[0][0].to is 4294967296, but at most 2147483647 is possible");
  EXPECT_EQ(refusal(with_action(R"({"action": "recv_reduce", "from": 1, "slices": []})")),
            "schedule.rounds[0][0] lacks the field \"side\"");
  EXPECT_EQ(
      refusal(with_action(R"({"action": "recv_reduce", "from": 1, "side": "up", "slices": []})")),
      "schedule.rounds[0][0].side is \"up\", but must be one of left, right");
  EXPECT_EQ(refusal(with_action(R"({"action": "recv", "from": 1, "side": "left", "slices": []})")),
            "schedule.rounds[0][0] has an unknown field \"side\"");
}

TEST(Json, NamesTheWrongSlice) {
  const auto with_slice = [](const std::string& slice) {
    return with_action(R"({"action": "send", "to": 1, "slices": [)" + slice + "]}");
  };
  EXPECT_EQ(refusal(with_slice(R"(["output", 0, 9])")), "");
  EXPECT_EQ(refusal(with_slice(R"(["outputs", 0, 9])")),
            "schedule.rounds[0][0].slices[0][0] is \"outputs\", but must be one of input, output, "
            "scratch");
  EXPECT_EQ(refusal(with_slice(R"(["output", 0])")),
            "schedule.rounds[0][0].slices[0] must be [buffer, offset, count]");
  EXPECT_EQ(refusal(with_slice(R"(["scratch", 2, 3])")),
            "schedule.rounds[0][0].slices[0] ends beyond the buffer's 4 elements");
  EXPECT_NE(refusal(with_slice(R"(["output", 18446744073709551615, 2])")), "");
}

TEST(Json, RefusesStagesAndConstantsThatDoNotFit) {
  Json json = to_json(sample());
  json["stages"][0]["rounds"] = 99;
  EXPECT_EQ(refusal(json.dump()), "schedule.stages[0].rounds is 99, but at most 4 is possible");
  json = to_json(sample());
  json["constants"][1]["offset"] = 13;
  EXPECT_EQ(refusal(json.dump()), "schedule.constants[1].offset is 13, but at most 12 is possible");
  json["scratch"] = 7;
  EXPECT_EQ(refusal(json.dump()), "schedule.constants[0] does not fit into the scratch");
}

}  // namespace
}  // namespace tutti::core
