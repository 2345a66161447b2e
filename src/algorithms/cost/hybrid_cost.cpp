// What hybrids over a mesh cost.

#include "algorithms/cost/hybrid_cost.hpp"

#include <cmath>

#include "algorithms/cost/cost.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

double long_stage(Collective collective, int d, int root, double v, const Rates& rates) {
  const double block = v / d, steps = d - 1;
  const double ring = steps * exchange(rates, block), combine = steps * block * rates.gamma;
  switch (collective) {
    case Collective::bcast: return tree_cost(d, root, block, rates) + ring;
    case Collective::reduce: return ring + combine + tree_cost(d, root, block, rates);
    case Collective::allreduce: return 2 * ring + combine;
    case Collective::allgather:
    case Collective::allgatherv: return ring;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: return ring + combine;
    default: return tree_cost(d, root, block, rates);
  }
}

double short_stage(Collective collective, int d, int root, double v, double whole,
                   const Rates& rates) {
  const double levels = ceil_log2(d);
  const double tree = levels * one_way(rates, whole), combine = levels * whole * rates.gamma;
  switch (collective) {
    case Collective::bcast: return tree;
    case Collective::reduce: return tree + combine;
    case Collective::allreduce: return 2 * tree + combine;
    case Collective::allgather:
    case Collective::allgatherv: return tree_cost(d, 0, v / d, rates) + tree;
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block: return tree + combine + tree_cost(d, 0, v / d, rates);
    default: return tree_cost(d, root, v / d, rates);
  }
}

double hybrid_cost(Collective collective, Rank root, double n, const std::vector<int>& dimensions,
                   int longs, const Rates& rates) {
  int behind = 1;
  for (const int d : dimensions) behind *= d;
  double v = n, whole = n, seconds = 0;
  for (int i = 0; i < static_cast<int>(dimensions.size()); ++i) {
    const int d = dimensions[i];
    behind /= d;
    const int place = root / behind % d;
    seconds += i < longs ? long_stage(collective, d, place, v, rates)
                         : short_stage(collective, d, place, v, whole, rates);
    v /= d;
    if (i < longs) whole = v;
  }
  return seconds;
}

double hybrid_seconds(Collective collective, const Size& size, const Rates& rates) {
  const Hybrid hybrid = hybrid_of(size.parameters);
  return hybrid_cost(collective, size.root, size.n, hybrid.shape, hybrid.longs, rates);
}

int hybrid_rounds(Collective collective, const Size& size) {
  return static_cast<int>(std::lround(hybrid_seconds(collective, size, count_messages)));
}

}  // namespace tutti::core
