// The sizes at which the winner changes.

#include "select/crossover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "request/request.hpp"
#include "select/formula.hpp"
#include "select/predict.hpp"

namespace tutti::core {

namespace {

/// The fastest for any size.
class Fastest {
 public:
  Fastest(Collective collective, int p, const Rates& rates, bool commutative,
          std::span<const Algorithm* const> among)
      : collective_(collective), p_(p), rates_(rates), commutative_(commutative), among_(among) {}

  Prediction at(std::size_t n) const {
    for (Prediction& each : predict(collective_, p_, n, rates_, commutative_))
      if (each.valid() && (among_.empty() ||
                           std::find(among_.begin(), among_.end(), each.algorithm) != among_.end()))
        return std::move(each);
    throw std::invalid_argument(fmt::format("{}: none of these can run on {} rank{}{}: name others",
                                            name_of(collective_), p_, p_ == 1 ? "" : "s",
                                            commutative_ ? "" : ", not commutative"));
  }

 private:
  const Collective collective_;
  const int p_;
  const Rates& rates_;
  const bool commutative_;
  const std::span<const Algorithm* const> among_;
};

/// A closed form where the reign changes.
struct Form {
  Form(const Algorithm& of, const Problem& problem, double n, const Rates& rates)
      : algorithm(of),
        size{problem.p, n, problem.root, problem.commutative, of.resolve(problem, rates)},
        claim(linear_cost(of.cost.text)) {
    const double seconds = of.seconds(size, rates);
    if (claim && std::abs(claim->seconds(problem.p, n, rates) - seconds) > 1e-9 * seconds)
      claim.reset();
  }

  const Algorithm& algorithm;
  const Size size;
  std::optional<LinearCost> claim;  // if it is a line in n, and holds here
};

void explain_start(Reign& reign, const Algorithm& before, int p, const Rates& rates,
                   bool commutative) {
  const Problem problem = even_problem(reign.algorithm->collective, p, reign.from, commutative);
  const auto n = static_cast<double>(reign.from);
  const Form a(before, problem, n, rates), b(*reign.algorithm, problem, n, rates);
  std::optional<Cutoff> found;
  std::string with;
  if (a.claim && b.claim) {
    found = cutoff(*a.claim, *b.claim, p, rates);
  } else {
    const auto first = linear_cost(a.algorithm, a.size, rates);
    const auto second = linear_cost(b.algorithm, b.size, rates);
    if (first && second) found = cutoff(*first, *second, p, rates);
    for (const Form* form : {&a, &b}) {
      const std::string request = format_request(form->algorithm, form->size.parameters);
      with += (with.empty() ? "" : ", ") + request.substr(request.find('/') + 1);
    }
  }
  // From the first whole byte on.
  if (!found || std::abs(found->bytes - n) > 1 + 1e-6 * n) return;
  reign.formula = found->text;
  reign.with = with;
}

}  // namespace

std::vector<Reign> crossovers(Collective collective, int p, const Rates& rates, bool commutative,
                              std::span<const Algorithm* const> among) {
  if (collective == Collective::barrier)
    throw std::invalid_argument("barrier: it moves no data, so that no size changes the choice");
  const Fastest fastest(collective, p, rates, commutative, among);
  std::vector<Reign> reigns{{.from = 1, .algorithm = fastest.at(1).algorithm}};
  constexpr double step = 1.0905077326652577;  // eight to a doubling
  for (std::size_t low = 1; low < largest_crossover;) {
    const std::size_t high =
        std::min(largest_crossover,
                 std::max(low + 1, static_cast<std::size_t>(static_cast<double>(low) * step)));
    // Whoever wins at `high` may not be the next: another may reign in between.
    while (fastest.at(high).algorithm != reigns.back().algorithm) {
      std::size_t old = low, fresh = high;
      while (fresh - old > 1) {
        const std::size_t middle = old + (fresh - old) / 2;
        (fastest.at(middle).algorithm == reigns.back().algorithm ? old : fresh) = middle;
      }
      Reign next{.from = fresh, .algorithm = fastest.at(fresh).algorithm};
      explain_start(next, *reigns.back().algorithm, p, rates, commutative);
      reigns.push_back(std::move(next));
      low = fresh;
    }
    low = high;
  }
  return reigns;
}

}  // namespace tutti::core
