// What recursive doubling and halving cost, with their corrections for other p.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

namespace {

/// Recursive doubling over any p. A full tree of 2^k ranks takes the sum of its steps on all its
/// ranks. A short tree is a full one of `d` ranks and a shorter one: who has a partner there
/// exchanges; then the full tree passes on what came, its holders doubling, until all have it.
class Doubling {
 public:
  /// Times of one step between a full tree of d ranks and one of s: the exchange, one message of
  /// the correction, and the combination afterwards in the full tree.
  struct Step {
    double exchange, pass, combine;
  };
  template <class StepOf>
  static double cost(int p, const StepOf& step) {
    return Doubling::tree(p, step).all;
  }

 private:
  /// When the last rank is done; and the last of those that had no partner in the last step.
  struct Done {
    double all, alone;
  };

  template <class StepOf>
  static Done tree(int size, const StepOf& step) {
    const int d = std::bit_floor(static_cast<unsigned>(size)), s = size - d;
    double full = 0;
    for (int k = 1; k < d; k *= 2) {
      const Step each = step(k, k);
      full += each.exchange + each.combine;
    }
    if (s == 0) return {full, full};
    const Done shorter = tree(s, step);
    const Step last = step(d, s);
    const int holders = std::bit_ceil(static_cast<unsigned>(s));
    const double passes = floor_log2(d) - floor_log2(holders);
    const double came = std::max(full, shorter.all) + last.exchange;
    double done = came + passes * last.pass, alone = done;
    if (s < holders) {
      // One pass more, among those whose partners had no partner before.
      const double more = std::max(full, shorter.alone) + last.exchange + (passes + 1) * last.pass;
      alone = passes > 0 ? std::max(done, more) : more;
      done = std::max(done, more);
    }
    return {done + last.combine, alone + last.combine};
  }
};

}  // namespace

double doubling_allgather_cost(int p, double block, const Rates& rates) {
  return Doubling::cost(p, [&](int d, int s) {
    return Doubling::Step{exchange(rates, d * block), one_way(rates, s * block), 0};
  });
}

double doubling_reduce_scatter_cost(int p, double block, const Rates& rates) {
  return Doubling::cost(p, [&](int, int s) {
    const double others = (p - s) * block;
    return Doubling::Step{exchange(rates, others), one_way(rates, others), others * rates.gamma};
  });
}

namespace {

/// Places [lo, lo + size) of recursive halving, of which the first `extra` work for two ranks; some
/// rank in each half has the latest time.
double halving(int lo, int size, int extra, double time, double block, const Rates& rates) {
  if (size == 1) return time + (lo < extra ? one_way(rates, block) : 0);
  const int half = size / 2;
  const auto blocks_of = [&](int from) { return half + std::clamp(extra - from, 0, half); };
  const int lower = blocks_of(lo), upper = blocks_of(lo + half);
  time += exchange(rates, lower * block);  // never less than the upper half's
  const double below = halving(lo, half, extra, time + lower * block * rates.gamma, block, rates);
  if (lower == upper) return below;
  return std::max(
      below, halving(lo + half, half, extra, time + upper * block * rates.gamma, block, rates));
}

}  // namespace

double halving_reduce_scatter_cost(int p, double block, const Rates& rates) {
  const int kept = power_of_two_below(p), extra = p - kept;
  const double fold = extra > 0 ? one_way(rates, p * block) + p * block * rates.gamma : 0;
  return halving(0, kept, extra, fold, block, rates);
}

// The first message of the chain and the last one meet no other.

}  // namespace tutti::core
