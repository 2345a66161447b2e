// A schedule as JSON, and back.

#include "schedule/json.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "schedule/json_reader.hpp"

namespace tutti::core {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Slice& slice) {
  return Json::array({name_of(slice.buffer), slice.offset, slice.count});
}

Json to_json(std::span<const Slice> slices) {
  Json json = Json::array();
  for (const Slice& slice : slices) json.push_back(to_json(slice));
  return json;
}

Json to_json(const Schedule& schedule, const Action& action) {
  Json json{{"action", name_of(action.kind)}};
  if (action.is_message()) json[action.sends() ? "to" : "from"] = action.peer;
  if (action.combines()) json["side"] = name_of(action.side);
  if (!action.is_message()) json["sources"] = to_json(schedule.sources_of(action));
  json["slices"] = to_json(schedule.slices_of(action));
  return json;
}

Slice read_slice(const JsonReader& reader, std::size_t scratch) {
  const std::vector<JsonReader> parts = reader.list();
  if (parts.size() != 3) reader.fail("must be [buffer, offset, count]");
  Slice slice{parts[0].word<Buffer>(3), parts[1].number(), parts[2].number()};
  const std::size_t end =
      slice.buffer == Buffer::scratch ? scratch : std::numeric_limits<std::size_t>::max();
  if (slice.offset > end || slice.count > end - slice.offset)
    reader.fail(fmt::format("ends beyond the buffer's {} elements", end));
  return slice;
}

/// Appends the slices to the pool and says where they stand.
std::pair<std::uint32_t, std::uint32_t> pool(Schedule& schedule, const JsonReader& reader) {
  const auto first = static_cast<std::uint32_t>(schedule.slices.size());
  for (const JsonReader& slice : reader.list())
    schedule.slices.push_back(read_slice(slice, schedule.scratch));
  const auto last = static_cast<std::uint32_t>(schedule.slices.size());
  return first == last ? std::pair(0U, 0U) : std::pair(first, last);
}

void read_action(Schedule& schedule, const JsonReader& reader) {
  Action action{.kind = reader.at("action").word<Kind>(5)};
  switch (action.kind) {
    case Kind::send: reader.has_exactly({"action", "to", "slices"}); break;
    case Kind::recv: reader.has_exactly({"action", "from", "slices"}); break;
    case Kind::recv_reduce: reader.has_exactly({"action", "from", "side", "slices"}); break;
    case Kind::reduce: reader.has_exactly({"action", "side", "sources", "slices"}); break;
    case Kind::copy: reader.has_exactly({"action", "sources", "slices"}); break;
  }
  if (action.is_message())
    action.peer = static_cast<Rank>(
        reader.at(action.sends() ? "to" : "from").number(std::numeric_limits<Rank>::max()));
  if (action.combines()) action.side = reader.at("side").word<Side>(2);
  if (!action.is_message())
    std::tie(action.from_first, action.from_last) = pool(schedule, reader.at("sources"));
  std::tie(action.first, action.last) = pool(schedule, reader.at("slices"));
  schedule.actions.push_back(action);
}

}  // namespace

Json to_json(const Schedule& schedule) {
  Json json{{"scratch", schedule.scratch},
            {"constants", Json::array()},
            {"stages", Json::array()},
            {"rounds", Json::array()}};
  for (const Constant& constant : schedule.constants)
    json["constants"].push_back({{"offset", constant.offset}, {"value", constant.value}});
  for (const StageEnd& stage : schedule.stages)
    json["stages"].push_back({{"rounds", stage.rounds},
                              {"learn", to_json(stage.slice)},
                              {"learned", Json(stage.learned)}});
  for (std::size_t t = 0; t < schedule.round_count(); ++t) {
    Json round = Json::array();
    for (const Action& action : schedule.round(t)) round.push_back(to_json(schedule, action));
    json["rounds"].push_back(std::move(round));
  }
  return json;
}

Schedule schedule_from_json(const Json& json) {
  const JsonReader reader(json, "schedule");
  reader.has_exactly({"scratch", "constants", "stages", "rounds"});
  Schedule schedule;
  schedule.scratch = reader.at("scratch").number();
  for (const JsonReader& constant : reader.at("constants").list()) {
    constant.has_exactly({"offset", "value"});
    if (schedule.scratch < sizeof(std::uint64_t)) constant.fail("does not fit into the scratch");
    schedule.constants.push_back(
        {constant.at("offset").number(schedule.scratch - sizeof(std::uint64_t)),
         constant.at("value").number()});
  }
  for (const JsonReader& round : reader.at("rounds").list()) {
    schedule.rounds.push_back(static_cast<std::uint32_t>(schedule.actions.size()));
    for (const JsonReader& action : round.list()) read_action(schedule, action);
  }
  for (const JsonReader& stage : reader.at("stages").list()) {
    stage.has_exactly({"rounds", "learn", "learned"});
    StageEnd& end = schedule.stages.emplace_back();
    end.rounds = static_cast<std::uint32_t>(stage.at("rounds").number(schedule.round_count()));
    end.slice = read_slice(stage.at("learn"), schedule.scratch);
    for (const JsonReader& number : stage.at("learned").list())
      end.learned.push_back(number.number());
  }
  return schedule;
}

Schedule parse_schedule(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(fmt::format("schedule is not JSON, look at byte {}", error.byte));
  }
  return schedule_from_json(json);
}

}  // namespace tutti::core
