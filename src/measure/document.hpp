#pragma once

#include "schedule/json_reader.hpp"

namespace tutti::core {

/// What `tutti bench -o` wrote, without its samples. Throws std::invalid_argument that names the
/// field which is missing or of the wrong kind; a field that is not known stays as it is.
nlohmann::ordered_json read_results(const JsonReader& document);

}  // namespace tutti::core
