#pragma once

#include <vector>

namespace tutti::core {

/// A total is shared by those who want so much each: everybody gets what it wants, but no more than
/// this. Infinite if there is enough for all.
double fair_share(std::vector<double> wanted, double total);

}  // namespace tutti::core
