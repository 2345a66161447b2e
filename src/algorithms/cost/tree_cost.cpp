// What binomial and k-nomial trees cost.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <map>

#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti::core {

// Every message waits for the tree behind it. A subtree whose root stands first is done after all
// its blocks but one have left the root, because its larger halves stay there.
double tree_cost(int p, Rank root, double block, const Rates& rates) {
  double spent = 0, last = 0;
  while (p >
         1) {  // as in counted_tree_cost.cpp, but without a list: the search for a mesh asks often
    const int lower = (p + 1) / 2, size = root < lower ? p - lower : lower;
    p -= size;
    if (root >= lower) root -= lower;
    spent += one_way(rates, size * block);
    last = std::max(
        last, spent + ceil_log2(size) * rates.alpha_uni + (size - 1) * block * rates.beta_uni);
  }
  return std::max(last, spent);
}

namespace {

/// A part whose root stands in front, and how long it takes by itself.
struct TimedPart {
  int size;
  double seconds;
};

/// How long a range takes, given what its parts take. All but one of them have their root in front,
/// so that only the sizes of a level matter, and there are two of these.
template <class Level>
class SplitTree {
 public:
  SplitTree(int radix, Level level) : radix_(radix), level_(level) {}

  double time(int m, int root) {
    if (m < 2) return 0;
    if (root == 0)
      if (const auto known = times_.find(m); known != times_.end()) return known->second;
    const int parts = std::min(radix_, m);
    std::vector<TimedPart> others;
    double own = 0;
    for (int i = 0; i < parts; ++i) {
      const int begin = part_begin(m, parts, i), size = part_begin(m, parts, i + 1) - begin;
      if (root >= begin && root < begin + size)
        own = time(size, root - begin);
      else
        others.push_back({size, time(size, 0)});
    }
    const double result = level_(own, others);
    if (root == 0) times_[m] = result;
    return result;
  }

 private:
  int radix_;
  Level level_;
  std::map<int, double> times_;
};

/// A root sends to its parts one after the other, then goes on in its own.
template <class Bytes>
double down_tree(int p, Rank root, int radix, const Rates& rates, Bytes bytes) {
  return SplitTree(radix,
                   [&](double own, const std::vector<TimedPart>& others) {
                     double sent = 0, last = 0;
                     for (const TimedPart& part : others)
                       last = std::max(last,
                                       (sent += one_way(rates, bytes(part.size))) + part.seconds);
                     return std::max(last, sent + own);
                   })
      .time(p, root);
}

/// A root takes who is ready first, and combines when all have come.
template <class Bytes>
double up_tree(int p, Rank root, int radix, const Rates& rates, Bytes bytes, double combine) {
  return SplitTree(radix,
                   [&](double own, std::vector<TimedPart> others) {
                     std::stable_sort(others.begin(), others.end(),
                                      [](const TimedPart& a, const TimedPart& b) {
                                        return a.seconds < b.seconds;
                                      });
                     for (const TimedPart& part : others)
                       own = std::max(own, part.seconds) + one_way(rates, bytes(part.size));
                     return own + static_cast<double>(others.size()) * combine;
                   })
      .time(p, root);
}

}  // namespace

double bcast_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return down_tree(p, root, radix, rates, [&](int) { return n; });
}

double reduce_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return up_tree(
      p, root, radix, rates, [&](int) { return n; }, n * rates.gamma);
}

double scatter_knomial_cost(int p, Rank root, int radix, double block, const Rates& rates) {
  return down_tree(p, root, radix, rates, [&](int size) { return size * block; });
}

double gather_knomial_cost(int p, Rank root, int radix, double block, const Rates& rates) {
  return up_tree(
      p, root, radix, rates, [&](int size) { return size * block; }, 0);
}

}  // namespace tutti::core
