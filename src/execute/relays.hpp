#pragma once

#include "algorithms/registry.hpp"

namespace tutti::core {

/// Whether some rank sends on what it received, so that others wait for the first messages more
/// than for the last. Told by the schedules of a few ranks, once for each algorithm of the table.
bool relays(const Algorithm& algorithm);

}  // namespace tutti::core
