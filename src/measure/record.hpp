// Reads a record of where the time of collectives goes, and advises on it.

#pragma once

#include "schedule/json_reader.hpp"

namespace tutti::core {

/// What `tutti run --record` wrote, with `advice`: sentences that say what to do about it, the most
/// worth first; and with `gain_seconds` in each row: what the algorithm that the model finds best
/// is predicted to save on each rank, null if it cannot be said. Throws std::invalid_argument that
/// names the field which is missing or of the wrong kind.
nlohmann::ordered_json read_record(const JsonReader& document);

}  // namespace tutti::core
