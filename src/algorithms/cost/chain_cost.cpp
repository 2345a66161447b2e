// What pipelined chains cost.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/cost/after.hpp"

namespace tutti::core {

double bcast_chain_cost(int p, double n, double segments, const Rates& rates) {
  if (p == 1) return 0;
  const double alone = one_way(rates, n / segments);
  const double both = std::max(alone, exchange(rates, n / segments));
  if (p == 2 || segments == 1) return (p - 2 + segments) * alone;
  return 2 * alone + (p - 4 + segments) * both;
}

double reduce_chain_cost(int p, Rank root, double n, double segments, const Rates& rates) {
  if (p == 1) return 0;
  const double alone = one_way(rates, n / segments);
  const double both = std::max(alone, exchange(rates, n / segments));
  const double combine = n / segments * rates.gamma;
  /// A chain of so many ranks towards the root: when its end has the first segment, and how long
  /// its messages to the root take. All but the last are sent while another comes.
  struct Chain {
    double ready, first, all;
  };
  const auto chain = [&](int length) -> Chain {
    if (length == 0) return {never, 0, 0};
    if (length == 1) return {0, alone, segments * alone};
    if (segments == 1) return {(length - 1) * (alone + combine), alone, alone};
    return {alone + combine + (length - 2) * (both + combine), both, (segments - 1) * both + alone};
  };
  Chain a = chain(root), b = chain(p - 1 - root);
  if (a.ready > b.ready) std::swap(a, b);
  const double streams = a.ready == never ? 1 : 2;
  // The root waits for both first segments; then both come one after the other.
  const double first = a.ready == never ? b.ready : std::max(a.ready + a.first, b.ready);
  return first + b.all + (a.all - a.first) + segments * streams * combine;
}

// As a reduce to the last rank, which does not combine here; the one before it does, if there is
// one between the first and the last.
double exscan_chain_cost(int p, double n, double segments, const Rates& rates) {
  const double combinations = p == 2 ? segments : p > 2 ? 1 : 0;
  return reduce_chain_cost(p, p - 1, n, segments, rates) -
         combinations * n / segments * rates.gamma;
}

}  // namespace tutti::core
