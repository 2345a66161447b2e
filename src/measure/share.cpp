// A fair share, found by filling the smallest wishes first.

#include "measure/share.hpp"

#include <algorithm>
#include <limits>

namespace tutti::core {

double fair_share(std::vector<double> wanted, double total) {
  std::sort(wanted.begin(), wanted.end());
  auto left = static_cast<double>(wanted.size());
  for (const double each : wanted) {
    if (each > total / left) return std::max(0.0, total / left);
    total -= each;
    --left;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace tutti::core
