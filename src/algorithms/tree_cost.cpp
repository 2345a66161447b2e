#include "algorithms/cost.hpp"

#include <algorithm>
#include <map>

#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/splitting.hpp"

namespace tutti {

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
    std::vector<double> others;
    double own = 0;
    for (int i = 0; i < parts; ++i) {
      const int begin = part_begin(m, parts, i), end = part_begin(m, parts, i + 1);
      if (root >= begin && root < end)
        own = time(end - begin, root - begin);
      else
        others.push_back(time(end - begin, 0));
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

}  // namespace

double bcast_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return SplitTree(radix,
                   [&](double own, const std::vector<double>& others) {
                     double sent = 0, last = 0;
                     for (const double other : others)
                       last = std::max(last, (sent += one_way(rates, n)) + other);
                     return std::max(last, sent + own);
                   })
      .time(p, root);
}

// A root takes who is ready first, and combines when all have come.
double reduce_knomial_cost(int p, Rank root, int radix, double n, const Rates& rates) {
  return SplitTree(radix,
                   [&](double own, std::vector<double> others) {
                     std::sort(others.begin(), others.end());
                     for (const double other : others)
                       own = std::max(own, other) + one_way(rates, n);
                     return own + static_cast<double>(others.size()) * n * rates.gamma;
                   })
      .time(p, root);
}

}  // namespace tutti
