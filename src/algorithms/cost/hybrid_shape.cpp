// The shape of a mesh that the model finds the fastest, and its long dimensions.

#include <algorithm>

#include "algorithms/cost/cost.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

namespace {

/// Sums of the same terms in another order are no gain.
bool is_less(double a, double b) { return a < b * (1 - 1e-12); }

bool needs_order(const Problem& problem) {
  return reduces(problem.collective) && !problem.commutative;
}

std::vector<int> divisors_of(int p) {
  if (p > most_factored) return {1, p};
  std::vector<int> low, high;
  for (int d = 1; d * d <= p; ++d) {
    if (p % d != 0) continue;
    low.push_back(d);
    if (d * d < p) high.push_back(p / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

/// The fastest way to deal with the boxes of m ranks that are left when some dimensions are done;
/// each has m/p of the data. Trees need no more than one dimension.
class Search {
 public:
  Search(const Problem& problem, const Rates& rates)
      : problem_(problem), rates_(rates), n_(bytes_of(problem)), sizes_(divisors_of(problem.p)) {
    for (const int m : sizes_) {
      const double v = n_ * m / problem.p;
      best_.push_back(
          {m == 1 ? 0 : short_stage(problem.collective, m, problem.root % m, v, v, rates),
           m == 1 && problem.p > 1 ? 0 : with_first(m, 0)});
    }
  }

  std::size_t shape() const { return best_.back().shape; }
  /// Any number of long dimensions in front.
  void add_any() { add(best_, false); }
  /// One, unless nothing is left.
  void add_one() { add(std::vector(best_), true); }

 private:
  struct Way {
    double seconds;
    std::size_t shape;
  };

  void add(const std::vector<Way>& behind, bool always) {
    for (std::size_t i = 1; i < sizes_.size(); ++i) {
      const int m = sizes_[i], root = problem_.root % m;
      const double v = n_ * m / problem_.p;
      bool found = !always;
      for (std::size_t j = 0; j < i; ++j) {
        if (m % sizes_[j] != 0) continue;
        const int d = m / sizes_[j];
        const double seconds =
            behind[j].seconds + long_stage(problem_.collective, d, root / sizes_[j], v, rates_);
        if (found && !is_less(seconds, best_[i].seconds)) continue;
        best_[i] = {seconds, with_first(d, behind[j].shape)};
        found = true;
      }
    }
  }

  const Problem& problem_;
  const Rates& rates_;
  const double n_;
  const std::vector<int> sizes_;
  std::vector<Way> best_;  // for each size of box
};

}  // namespace

std::size_t best_shape(const Problem& problem, const Rates& rates,
                       std::optional<std::size_t> longs) {
  Search search(problem, rates);
  if (needs_order(problem)) return search.shape();
  if (!longs)
    search.add_any();
  else
    for (std::size_t i = 0, most = most_shape_digits / 2; i < std::min(*longs, most); ++i)
      search.add_one();
  return search.shape();
}

std::size_t best_longs(const Problem& problem, const Rates& rates, std::size_t shape) {
  if (needs_order(problem)) return 0;
  const std::vector<int> dimensions = dimensions_of(shape);
  std::size_t best = 0;
  double least = 0;
  for (std::size_t longs = 0; longs <= dimensions.size(); ++longs) {
    const double seconds = hybrid_cost(problem.collective, problem.root, bytes_of(problem),
                                       dimensions, static_cast<int>(longs), rates);
    if (longs > 0 && !is_less(seconds, least)) continue;
    best = longs;
    least = seconds;
  }
  return best;
}

}  // namespace tutti::core
