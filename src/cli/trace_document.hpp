#pragma once

#include <nlohmann/json_fwd.hpp>

#include "algorithms/registry.hpp"
#include "execute/trace.hpp"
#include "schedule/json_reader.hpp"

namespace tutti::core::cli {

/// Reads what to_chrome wrote. Throws std::invalid_argument that names the place of what is wrong.
Trace read_trace(const JsonReader& document);

/// What the model says of a call: its messages and reductions as schedules, replayed by these
/// rates. A trace of one call; none if the messages do not go together.
std::optional<Trace> planned_of(const Trace& trace, std::size_t call, const Rates& rates);

/// For the page: the longest calls, and the time lines of as many of them as it can draw. `rates`
/// and `machine`, its name: null for those that the trace itself has.
nlohmann::ordered_json trace_data(const JsonReader& document, const Rates* rates,
                                  const std::string& machine);

}  // namespace tutti::core::cli
