// What must hold of an algorithm before it counts as proved.

#include "verify/cases.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "algorithms/asked.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

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

/// Blocks that are unequal both ways are not to be had in place.
bool can_be(const Problem& problem) {
  try {
    problem.validate();
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

std::size_t packed(const std::vector<int>& shape) {
  std::size_t result = 0;
  for (auto dimension = shape.rbegin(); dimension != shape.rend(); ++dimension)
    result = with_first(*dimension, result);
  return result;
}

/// The mesh that is nearest to a square.
std::size_t square(int p) {
  int rows = 1;
  for (int d = 2; d * d <= p; ++d)
    if (p % d == 0) rows = d;
  return packed({rows, p / rows});
}

/// Values of a parameter besides its default. For large p only a mesh, and numbers of blocks, round
/// the length of a circulant schedule, where its rounds wrap.
std::vector<std::size_t> values(const Parameter& parameter, int p, bool large) {
  if (parameter.kind == ParameterKind::longs) return {};  // with each shape
  if (parameter.kind == ParameterKind::shape)
    return large ? std::vector{square(p)} : std::vector<std::size_t>{};
  if (parameter.kind == ParameterKind::leaders && !large)
    return {Leaders::of_domains, 1, 2, 3, 5, 1000};
  if (!large) return {1, 2, 3, 5, 1000};
  if (parameter.kind != ParameterKind::blocks) return {};
  const auto q = static_cast<std::size_t>(std::max(1, ceil_log2(p)));
  return {1, 2, 3, q - 1, q, q + 1, 2 * q + 1, 3 * q};
}

/// What may be asked for: nothing, each value of a parameter, each inner algorithm; one over nodes
/// between leaders of domains.
std::vector<Parameters> requests(const Algorithm& algorithm, int p, bool large,
                                 const Parameters& given) {
  std::vector<Parameters> result{given};
  if (!given.empty()) return result;
  for (const Parameter& parameter : algorithm.parameters) {
    std::vector<std::size_t> all =
        parameter.inner ? std::vector<std::size_t>{} : values(parameter, p, large);
    if (parameter.inner && !large) {
      const auto known = algorithms_of(parameter.inner->collective);
      for (std::size_t i = 0; i < known.size(); ++i)
        if (known[i]->may_be_inner() && !known[i]->node_aware)
          all.push_back(i);
        else if (algorithm.may_use(*known[i]))
          result.push_back({{std::string(parameter.name), i},
                            {std::string(name_of(ParameterKind::leaders)), Leaders::of_domains}});
    }
    for (const std::size_t value : all)
      if (value >= parameter.least) result.push_back({{std::string(parameter.name), value}});
  }
  return result;
}

std::vector<Parameters> parameters(const Algorithm& algorithm, const Problem& problem, bool large,
                                   const Parameters& given) {
  std::vector<Parameters> result;
  for (const Parameters& each : requests(algorithm, problem.p, large, given))
    if (algorithm.unmet(problem, each).empty())
      result.push_back(algorithm.resolve(problem, rates, each));
  return result;
}

}  // namespace

std::vector<std::shared_ptr<const Topology>> proof_topologies(int p) {
  std::vector<std::shared_ptr<const Topology>> result;
  const auto add = [&](auto node_of, auto domain_of) {
    std::vector<int> nodes, domains;
    for (Rank r = 0; r < p; ++r) nodes.push_back(node_of(r));
    for (Rank r = 0; r < p; ++r) domains.push_back(domain_of(r));
    auto topology = std::make_shared<const Topology>(nodes, domains);
    for (const auto& known : result)
      if (*known == *topology) return;
    result.push_back(std::move(topology));
  };
  const auto no_domains = [](Rank) { return 0; };
  add([](Rank) { return 0; }, no_domains);
  add([](Rank r) { return r; }, no_domains);
  // All grids of up to six nodes and six ranks, and some that p does not fill.
  for (int nodes = 2; nodes <= 6; ++nodes) {
    const int each = (p + nodes - 1) / nodes;
    if (each > 6 && nodes < 6) continue;
    if (p % nodes != 0 && (p + nodes) % 3 != 0) continue;
    add([&](Rank r) { return r / each; }, no_domains);
    add([&](Rank r) { return r % nodes; }, no_domains);
    std::vector<Rank> order(p);
    std::iota(order.begin(), order.end(), 0);
    // In no order: with this seed never by chance in one of the two above.
    std::shuffle(order.begin(), order.end(), std::mt19937(p + 1));
    add([&](Rank r) { return order[r] / each; }, no_domains);
    if (p % 2 == 0)
      add([&](Rank r) { return r * r % (2 * nodes + 1) % nodes; },  // unequal, here and there
          no_domains);
    else
      add([&](Rank r) { return r == 0 ? 0 : 1 + (r - 1) / (each + 1); },  // one alone
          no_domains);
  }
  std::mt19937 random(20080714 + p);
  const unsigned nodes = 2 + random() % 5;
  add([&](Rank) { return static_cast<int>(random() % nodes); }, no_domains);
  // Domains of two ranks, dealt out in turn, and as chance has it; on one node and on some.
  const auto pairs = [](Rank r) { return r / 2; };
  const auto turns = [](Rank r) { return r % 3; };
  const auto chance = [&](Rank) { return static_cast<int>(random() % 3); };
  for (const int each : {p, (p + 1) / 2, (p + 2) / 3}) {
    const auto node_of = [&](Rank r) { return r / each; };
    add(node_of, pairs);
    add(node_of, turns);
    add(node_of, chance);
  }
  add([](Rank r) { return r % 2; }, [](Rank r) { return r / 4; });
  return result;
}

namespace {

/// The cases on one topology: of roots and parameters one is drawn for each, so that all meet over
/// the topologies and p; or, without `random`, all of them.
void add_cases_on(const std::shared_ptr<const Topology>& topology, const Algorithm& algorithm,
                  const Parameters& given, std::mt19937* random, std::vector<Case>& cases) {
  const auto asked = requests(algorithm, topology->p(), false, given);
  const auto all_roots = roots(algorithm.collective, topology->p(), false);
  const auto one_of = [&](const auto& all) { return all[(*random)() % all.size()]; };
  for (Problem problem : shapes(algorithm.collective, topology->p(), false))
    for (const bool commutative : {true, false}) {
      problem.topology = topology;
      problem.commutative = commutative;
      if (!commutative && !reduces(algorithm.collective)) continue;
      if (!algorithm.unmet(problem, given).empty()) continue;
      for (const Rank root : random ? std::vector{one_of(all_roots)} : all_roots) {
        problem.root = root;
        for (auto& place : places(problem)) {
          problem.in_place = place;
          if (!can_be(problem)) continue;
          if (random == nullptr) {
            for (Parameters& each : parameters(algorithm, problem, false, given))
              cases.push_back({problem, std::move(each)});
            continue;
          }
          Parameters drawn = one_of(asked);
          drawn.merge(one_of(asked));  // two parameters at once
          while (!algorithm.unmet(problem, drawn).empty()) drawn = one_of(asked);
          cases.push_back({problem, algorithm.resolve(problem, rates, drawn)});
        }
      }
    }
}

/// The cases on all meshes. An operator that does not commute is the harder one, where it may be.
void add_cases_on_meshes(const Algorithm& algorithm, int p, std::mt19937& random,
                         std::vector<Case>& cases) {
  const auto one_of = [&](const auto& all) { return all[random() % all.size()]; };
  const auto some_roots = roots(algorithm.collective, p, false);
  std::vector<Rank> all_roots(has_root(algorithm.collective) ? p : 1);
  std::iota(all_roots.begin(), all_roots.end(), 0);
  for (const std::vector<int>& shape : proof_shapes(p)) {
    const bool plane = shape.size() == 2 && shape[0] <= 8 && shape[1] <= 8;
    const std::size_t most = algorithm.has(ParameterKind::longs) ? shape.size() : 0;
    for (std::size_t longs = 0; longs <= most; ++longs) {
      Parameters given{{std::string(name_of(ParameterKind::shape)), packed(shape)}};
      if (most > 0) given.emplace(name_of(ParameterKind::longs), longs);
      bool is_first = true;
      for (Problem problem : shapes(algorithm.collective, p, false)) {
        problem.commutative = longs > 0 || !reduces(algorithm.collective);
        const bool every_root = plane && is_first;
        for (const Rank root : every_root ? all_roots : std::vector{one_of(some_roots)}) {
          problem.root = root;
          for (auto& place : places(problem)) {
            problem.in_place = place;
            cases.push_back({problem, algorithm.resolve(problem, rates, given)});
          }
        }
        is_first = false;
      }
    }
  }
}

}  // namespace

std::vector<std::vector<int>> proof_shapes(int p) {
  std::vector<std::vector<int>> result;
  std::vector<int> shape;
  const auto factor = [&](auto& self, int rest) -> void {
    if (rest == 1) result.push_back(shape);
    for (int d = 2; d <= rest; ++d) {
      if (rest % d != 0) continue;
      shape.push_back(d);
      self(self, rest / d);
      shape.pop_back();
    }
  };
  factor(factor, p);
  if (p == 1) result = {{1}};
  if (p <= 8) result.push_back({1, p});
  if (p > 1 && p <= 8) result.push_back({p, 1});
  return result;
}

std::vector<Case> proof_cases(const Algorithm& algorithm, int p, const Parameters& given,
                              const std::shared_ptr<const Topology>& topology) {
  std::vector<Case> cases;
  if (topology) {
    add_cases_on(topology, algorithm, given, nullptr, cases);
    return cases;
  }
  std::mt19937 random(p);
  if (algorithm.node_aware || algorithm.node_ordered)
    for (const auto& each : proof_topologies(p))
      add_cases_on(each, algorithm, given, &random, cases);
  if (algorithm.node_aware) return cases;
  if (algorithm.has(ParameterKind::shape) && given.empty())
    add_cases_on_meshes(algorithm, p, random, cases);
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
          if (!can_be(problem)) continue;
          for (Parameters& each : parameters(algorithm, problem, false, given))
            cases.push_back({problem, std::move(each)});
        }
      }
    }
  return cases;
}

namespace {

std::shared_ptr<const Topology> nodes_of_sixteen(int p) {
  std::vector<int> nodes;
  for (Rank r = 0; r < p; ++r) nodes.push_back(r / 16);
  return std::make_shared<const Topology>(nodes);
}

}  // namespace

std::vector<Case> proof_cases_large(const Algorithm& algorithm, int p, const Parameters& given) {
  std::vector<Case> cases;
  if (!algorithm.valid.unmet(p, algorithm.valid.commutative).empty()) return cases;
  const bool must_commute = algorithm.valid.commutative || !reduces(algorithm.collective);
  for (Problem problem : shapes(algorithm.collective, p, true))
    for (const Rank root : roots(algorithm.collective, p, true))
      for (const bool commutative : {true, false}) {
        // Rings over meshes need one that does, their trees do not.
        if (commutative != must_commute && (must_commute || !algorithm.has(ParameterKind::longs)))
          continue;
        problem.root = root;
        problem.commutative = commutative;
        if (algorithm.node_aware) problem.topology = nodes_of_sixteen(p);
        for (const Parameters& each : parameters(algorithm, problem, true, given))
          cases.push_back({problem, each});
      }
  return cases;
}

}  // namespace tutti::core
