#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "schedule/schedule.hpp"

namespace tutti::core {

/// One rank's schedule as a person reads it; a slice is [buffer, offset, count]:
///
///   {"scratch": 4, "constants": [{"offset": 0, "value": 7}],
///    "stages": [{"rounds": 1, "learn": ["scratch", 0, 8]}],
///    "rounds": [[{"action": "send", "to": 3, "slices": [["output", 4, 8]]},
///                {"action": "recv_reduce", "from": 1, "side": "left", "slices": [...]}],
///               [{"action": "copy", "sources": [...], "slices": [...]}]]}
nlohmann::ordered_json to_json(const Schedule& schedule);

/// Reads what to_json wrote. Throws std::invalid_argument that names the place of what is wrong:
/// a field missing, unknown or of the wrong type, a word that is none, scratch beyond its end.
Schedule schedule_from_json(const nlohmann::ordered_json& json);
/// The same from text.
Schedule parse_schedule(std::string_view text);

}  // namespace tutti::core
