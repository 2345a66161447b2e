#pragma once

#include "algorithms/registry.hpp"

namespace tutti::core {

/// Seconds that no schedule can beat under the model: p ranks, n bytes in all (equal blocks; for
/// the alltoall family what a rank sends, its own block included). Nothing to do takes no time.
double lower_bound(Collective collective, int p, double n, const Rates& rates);

/// The same for a problem, whose blocks may be unequal: some rank must send, or receive, so much.
double lower_bound(const Problem& problem, const Rates& rates);

}  // namespace tutti::core
