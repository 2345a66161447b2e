#include "verify/cases.hpp"

#include <algorithm>
#include <set>

#include "algorithms/pattern/arithmetic.hpp"

namespace tutti {

namespace {

/// Typical numbers, so that the model cuts a few segments and not one or thousands.
constexpr Rates rates{.alpha = 4, .beta = 1, .gamma = 1, .alpha_uni = 4, .beta_uni = 1};

std::vector<Rank> roots(Collective collective, int p, bool large) {
  if (!has_root(collective)) return {0};
  std::set<Rank> some{0, p - 1, p / 2};
  if (!large) some.insert({std::min(1, p - 1), p / 3});
  if (!large && p <= 16)
    for (Rank r = 0; r < p; ++r) some.insert(r);
  return {some.begin(), some.end()};
}

/// Sizes of blocks or vectors that have gone wrong somewhere before.
std::vector<Problem> shapes(Collective collective, int p, bool large) {
  const auto ranks = static_cast<std::size_t>(p);
  const Problem base{.collective = collective, .p = p};
  std::vector<Problem> problems;
  const auto add = [&](auto change) {
    problems.push_back(base);
    change(problems.back());
  };
  if (collective == Collective::barrier) {
    problems.push_back(base);
  } else if (is_vector(collective)) {
    add([&](Problem& x) { x.count = 3 * ranks + 2; });
    if (large) return problems;
    add([&](Problem& x) { x.count = 1; });
    add([&](Problem& x) { x.count = 0; });
  } else if (!is_irregular(collective)) {
    add([&](Problem& x) { x.count = 2; });
    if (large) return problems;
    add([&](Problem& x) { x.count = 0; });
  } else if (is_alltoall(collective)) {
    // Symmetric, so that it may be called in place; then one that is not.
    add([&](Problem& x) {
      for (std::size_t i = 0; i < ranks; ++i)
        for (std::size_t j = 0; j < ranks; ++j) x.counts.push_back((i + j) % 3 + (i * j) % 2);
    });
    if (large) return problems;
    add([&](Problem& x) {
      for (std::size_t i = 0; i < ranks; ++i)
        for (std::size_t j = 0; j < ranks; ++j) x.counts.push_back((3 * i + 5 * j) % 4);
    });
  } else {
    add([&](Problem& x) {
      for (std::size_t i = 0; i < ranks; ++i) x.counts.push_back((7 * i + 3) % 5);
    });
    if (large) return problems;
    add([&](Problem& x) { x.counts.assign(ranks, 2); });
    add([&](Problem& x) { x.counts.assign(ranks, 0), x.counts[ranks / 2] = 9; });
    add([&](Problem& x) { x.counts.assign(ranks, 0); });
    add([&](Problem& x) {  // half full
      for (std::size_t i = 0; i < ranks; ++i) x.counts.push_back(i % 2 == 0 ? 4 : 0);
    });
  }
  return problems;
}

/// Who calls in place: nobody, everybody who may, every other one.
std::vector<std::vector<bool>> places(const Problem& problem) {
  std::vector<std::vector<bool>> result{{}};
  const auto p = static_cast<std::size_t>(problem.p);
  if (!allows_in_place(problem.collective)) return result;
  if (has_root(problem.collective)) {
    result.emplace_back(p, false);
    result.back()[problem.root] = true;
    return result;
  }
  result.emplace_back(p, true);
  if (p > 1) {
    result.emplace_back(p, false);
    for (std::size_t r = 0; r < p; r += 2) result.back()[r] = true;
  }
  return result;
}

/// Values of a parameter besides its default. For large p only numbers of blocks, round the length
/// of a circulant schedule, where its rounds wrap.
std::vector<std::size_t> values(const Parameter& parameter, int p, bool large) {
  if (!large) return {1, 2, 3, 5, 1000};
  if (parameter.name != "blocks") return {};
  const auto q = static_cast<std::size_t>(std::max(1, ceil_log2(p)));
  return {1, 2, 3, q - 1, q, q + 1, 2 * q + 1, 3 * q};
}

std::vector<Parameters> parameters(const Algorithm& algorithm, const Problem& problem, bool large,
                                   const Parameters& given) {
  std::vector<Parameters> result{algorithm.resolve(problem, rates, given)};
  if (!given.empty()) return result;
  for (const Parameter& parameter : algorithm.parameters)
    for (const std::size_t value : values(parameter, problem.p, large))
      if (value >= parameter.least) {
        Parameters with = result.front();
        with[std::string(parameter.name)] = value;
        result.push_back(with);
      }
  return result;
}

}  // namespace

std::vector<Case> proof_cases(const Algorithm& algorithm, int p, const Parameters& given) {
  std::vector<Case> cases;
  for (Problem problem : shapes(algorithm.collective, p, false))
    for (const Rank root : roots(algorithm.collective, p, false)) {
      problem.root = root;
      for (auto& place : places(problem)) {
        problem.in_place = place;
        for (const bool commutative : {true, false}) {
          problem.commutative = commutative;
          if (!algorithm.valid.unmet(p, commutative).empty()) continue;
          if (!commutative && !reduces(algorithm.collective)) continue;
          // Nothing to combine: whether the operator commutes makes no difference, so once is
          // enough.
          if (commutative && reduces(algorithm.collective) && !algorithm.valid.commutative &&
              problem.count == 0 && problem.counts.empty())
            continue;
          try {
            problem.validate();
          } catch (const std::invalid_argument&) {
            continue;  // unequal both ways: not to be had in place
          }
          for (Parameters& each : parameters(algorithm, problem, false, given))
            cases.push_back({problem, std::move(each)});
        }
      }
    }
  return cases;
}

std::vector<Case> proof_cases_large(const Algorithm& algorithm, int p, const Parameters& given) {
  std::vector<Case> cases;
  if (!algorithm.valid.unmet(p, algorithm.valid.commutative).empty()) return cases;
  for (Problem problem : shapes(algorithm.collective, p, true))
    for (const Rank root : roots(algorithm.collective, p, true)) {
      problem.root = root;
      problem.commutative = algorithm.valid.commutative || !reduces(algorithm.collective);
      for (const Parameters& each : parameters(algorithm, problem, true, given))
        cases.push_back({problem, each});
    }
  return cases;
}

}  // namespace tutti
