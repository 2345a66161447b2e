// What scans by recursive doubling cost.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <bit>

#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

namespace {

/// The most one-bits of any number below s.
int most_bits(int s) {
  const auto largest = static_cast<unsigned>(s - 1);
  return std::max(std::popcount(largest),
                  std::max(0, static_cast<int>(std::bit_width(largest)) - 1));
}

/// In a step a rank combines into its partial result, unless it is the last step, and into its
/// result if its partner is lower. The last step is that of the ranks above 2^(q-1) and their
/// partners.
double scan_cost(int p, double n, const Rates& rates, bool inclusive) {
  if (p == 1) return 0;
  const int q = ceil_log2(p), saved = inclusive ? 0 : 1;  // the first result is copied
  const double combine = n * rates.gamma;
  const double alone =
      (q - 1) * exchange(rates, n) + (q - 1 + std::max(0, q - 1 - saved)) * combine;
  const double paired =
      q * exchange(rates, n) + (q - saved + most_bits(p - (1 << (q - 1)))) * combine;
  return std::max(alone, paired);
}

}  // namespace

double scan_doubling_cost(int p, double n, const Rates& rates) {
  return scan_cost(p, n, rates, true);
}
double exscan_doubling_cost(int p, double n, const Rates& rates) {
  return scan_cost(p, n, rates, false);
}

}  // namespace tutti::core
