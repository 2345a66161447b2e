// What every algorithm of a collective would take, and which is the fastest.

#include "select/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "algorithms/pattern/nodes.hpp"
#include "algorithms/shape.hpp"
#include "model/estimate.hpp"

namespace tutti::core {

namespace {

/// On a mesh whatever may come so near the fastest is followed over the links.
constexpr double promising = 3;

/// What cannot come nearer to the fastest is not worth an estimate where a program waits.
constexpr double hopeless = 3;
/// The same, on a few of many nodes.
constexpr double hopeless_of_few = 2.5;

/// Schedules of more blocks would fill memory and take longer to make than what they save.
constexpr std::size_t most_blocks = std::size_t{1} << 13;

/// Whether in an all-to-all so many blocks pass through one rank that its schedule is too long:
/// those of a node's ranks for all others, or each block several times.
bool is_too_long(const Problem& problem, const Algorithm& algorithm, const Parameters& given) {
  if (!is_alltoall(problem.collective) || problem.count == 0) return false;
  Parameters known = given;
  for (const Parameter& each : algorithm.parameters)
    if (!each.inner && !known.contains(each.name))
      known.emplace(each.name, each.default_value(problem, {}, known));
  double blocks = 0;
  if (const Parameter* const by_name = algorithm.inner()) {
    blocks = static_cast<double>(by_name->inner->of(problem, known).total() / problem.count);
  } else if (algorithm.cost.value != nullptr) {
    const double bytes = static_cast<double>(problem.total() * problem.element_bytes);
    const Size size{problem.p, bytes, problem.root, problem.commutative, known};
    blocks = algorithm.cost.value(size, {.beta = 1, .beta_uni = 1}) / bytes * problem.p;
  }
  return blocks > std::max<double>(most_blocks, problem.p);
}

/// Times that differ only by rounding are equal.
bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

/// The fastest first, in the order of the table where equal; at the end those that cannot run.
std::vector<Prediction> ranked(std::vector<Prediction> all) {
  std::stable_sort(all.begin(), all.end(), [](const Prediction& a, const Prediction& b) {
    return a.valid() != b.valid() ? a.valid()
                                  : a.seconds < b.seconds && !same(a.seconds, b.seconds);
  });
  return all;
}

/// By closed forms.
std::vector<Prediction> predict_flat(const Problem& problem, double n, const Rates& rates) {
  std::vector<Prediction> all;
  for (const Algorithm* algorithm : algorithms_of(problem.collective)) {
    if (algorithm->node_aware) continue;  // nothing is known of the nodes here
    Prediction prediction{algorithm,
                          {},
                          std::numeric_limits<double>::infinity(),
                          algorithm->valid.unmet(problem.p, problem.commutative)};
    if (prediction.valid()) {
      prediction.parameters = algorithm->resolve(problem, rates);
      prediction.seconds = closed_form(problem, n, *algorithm, prediction.parameters, rates);
    }
    all.push_back(std::move(prediction));
  }
  return ranked(std::move(all));
}

/// What is known before an algorithm is looked at.
struct Limits {
  double best = std::numeric_limits<double>::infinity();  // seconds, of those before
  Parameters settings;                                    // none: they are looked for
};

/// With the parameters' defaults; of a composition with the inner algorithm that is best if one
/// rank of each node uses the network, or if all do, or for the bandwidth of large messages; and
/// with as many leaders as are best, those of domains among them. `parts`: of nodes, kept as long
/// as algorithms ask for them.
void estimate_best(Prediction& prediction, const Problem& problem, const Machine& machine,
                   Care care, const Limits& limits,
                   std::vector<std::shared_ptr<const Topology>>& parts) {
  const Algorithm& algorithm = *prediction.algorithm;
  const Topology& topology = *problem.topology;
  std::vector<Parameters> tried;
  prediction.unmet = "has too many blocks pass through one rank";  // unless it can be tried
  // What it takes; infinite if it cannot be tried, or was.
  const auto attempt = [&](const Rates& rates, const Parameters& given) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (!algorithm.unmet(problem, given).empty() || is_too_long(problem, algorithm, given))
      return never;
    Parameters parameters = algorithm.resolve(problem, rates, given);
    if (std::find(tried.begin(), tried.end(), parameters) != tried.end()) return never;
    parts.push_back(parts_of(problem.topology, leaders_of(parameters)));
    const double seconds = estimate(problem, algorithm, parameters, machine, care);
    tried.push_back(parameters);
    prediction.unmet.clear();
    if (tried.size() > 1 && seconds >= prediction.seconds) return seconds;
    prediction.parameters = std::move(parameters);
    prediction.seconds = seconds;
    return seconds;
  };
  const Rates rates = machine.rates_for(&topology);
  const bool has_network = topology.nodes() > 1;
  double least = std::numeric_limits<double>::infinity();  // of numbers of leaders so far
  if (has_network || !algorithm.node_aware) least = attempt(rates, limits.settings);
  if (!algorithm.node_aware) return;
  Rates shared = rates;
  const double share = topology.largest() / machine.interface.factor(topology.largest());
  shared.beta *= share;
  shared.beta_uni *= share;
  if (has_network) least = std::min(least, attempt(shared, limits.settings));
  if (has_network && !machine.steps.empty()) {
    const Rates large =
        machine.rates_of(static_cast<double>(problem.total() * problem.element_bytes));
    shared = rates;
    shared.beta = large.beta;
    shared.beta_uni = large.beta_uni;
    least = std::min(least, attempt(shared, limits.settings));
  }
  if (!limits.settings.empty()) return;
  for (const Parameters& given : by_domain(algorithm, problem)) attempt(rates, given);
  if (!has_network || !algorithm.has(ParameterKind::leaders)) return;
  if (care == Care::quick && !tried.empty() && prediction.seconds > hopeless * limits.best) return;
  const auto most = static_cast<std::size_t>(topology.largest());
  for (std::size_t leaders = 4; leaders < most; leaders *= 2) {
    const double seconds =
        attempt(rates, {{std::string(name_of(ParameterKind::leaders)), leaders}});
    if (care == Care::quick && seconds >= least) break;  // more are no better
    least = seconds;
  }
}

/// No estimate of an algorithm that knows no nodes is less: its rounds, as if all messages went the
/// faster way, inside the node or between nodes; or the messages that one rank must send to others.
double least_seconds(const Problem& problem, const Algorithm& algorithm, const Machine& machine) {
  const Rates& rates = machine.rates;
  const double far = std::min(rates.alpha, rates.alpha_uni);
  const double near = machine.node.latency + machine.node.message;
  const Size size{problem.p, static_cast<double>(problem.total() * problem.element_bytes),
                  problem.root, problem.commutative,
                  algorithm.resolve(problem, machine.rates_for(problem.topology.get()))};
  const double messages =
      algorithm.cost.value(size, {.alpha = 1}) + algorithm.cost.value(size, {.alpha_uni = 1});
  const double next = rates.post > 0 ? std::min(rates.post, far) : far;
  return std::max(std::min(far, near) * algorithm.rounds.value(size),
                  next * (messages - problem.topology->largest()));
}

std::string takes_over(double times) { return fmt::format("takes over {} times as long", times); }

/// What a few of many nodes tell of an algorithm.
struct Screened {
  std::string unmet;    // why it is not worth a look
  Parameters settings;  // that are best, of a composition with leaders
};
using Screen = std::map<const Algorithm*, Screened>;

std::vector<Prediction> predict_levels(const Problem& problem, const Machine& machine, Care care);

/// With leaders that were found to be best, and what runs between them if these have leaders, too.
Parameters settings_of(const Prediction& found) {
  Parameters settings;
  const std::size_t* const leaders = value_of(found.parameters, ParameterKind::leaders);
  if (leaders == nullptr) return settings;
  settings.emplace(name_of(ParameterKind::leaders), *leaders);
  const Parameter& inner = *found.algorithm->inner();
  const std::size_t place = found.parameters.at(std::string(inner.name));
  if (inner_algorithm(inner.inner->collective, place).node_aware)
    settings.emplace(inner.name, place);
  return settings;
}

/// Where a program waits a few of many nodes tell which algorithms are worth a look at all.
Screen screen(const Problem& problem, const Machine& machine, Care care) {
  const Topology& topology = *problem.topology;
  constexpr int few_ranks = 512;
  const int few = std::max(4, few_ranks / topology.largest());
  Screen screened;
  if (care != Care::quick || topology.nodes() < 4 * few || !problem.counts.empty() ||
      !problem.in_place.empty())
    return screened;
  const Problem part = on_nodes(problem, few, true);
  double best = 0;
  for (const Prediction& each : predict_levels(part, machine, care)) {
    if (each.valid() && best == 0) best = each.seconds;
    if (each.valid() && each.seconds <= hopeless_of_few * best)
      screened[each.algorithm] = {{}, settings_of(each)};
    else if (each.valid())
      screened[each.algorithm] = {takes_over(hopeless_of_few), {}};
    else if (each.algorithm->unmet(part).empty())  // it was seen to take too long
      screened[each.algorithm] = {each.unmet, {}};
  }
  return screened;
}

/// All by estimate, unless a program waits and they cannot come near the fastest.
std::vector<Prediction> rank_levels(const Problem& problem, const Machine& machine, Care care,
                                    const Screen& screened) {
  std::vector<std::pair<double, Prediction>> known;  // with the least that it can take
  for (const Algorithm* algorithm : algorithms_of(problem.collective)) {
    if (algorithm->node_aware && problem.topology->nodes() == 1 &&
        by_domain(*algorithm, problem).empty())
      continue;  // of no use
    Prediction prediction{
        algorithm, {}, std::numeric_limits<double>::infinity(), algorithm->unmet(problem)};
    const bool has_least = care == Care::quick && prediction.valid() && !algorithm->node_aware &&
                           algorithm->rounds.value != nullptr && algorithm->cost.value != nullptr;
    const double least = has_least ? least_seconds(problem, *algorithm, machine) : 0;
    known.emplace_back(least, std::move(prediction));
  }
  std::vector<std::size_t> order(known.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Of compositions last what has most settings: it may be seen to be far behind by one of them.
  const auto comes_first = [&](std::size_t i) {
    return std::pair(known[i].first, known[i].second.algorithm->has(ParameterKind::leaders));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return comes_first(a) < comes_first(b); });
  double best = std::numeric_limits<double>::infinity();
  std::vector<std::shared_ptr<const Topology>> parts;
  for (const std::size_t i : order) {
    auto& [least, prediction] = known[i];
    if (!prediction.valid()) continue;
    if (least > hopeless * best) {
      prediction.unmet = takes_over(hopeless);
      continue;
    }
    Limits limits{best, {}};
    if (const auto found = screened.find(prediction.algorithm); found != screened.end()) {
      prediction.unmet = found->second.unmet;
      if (!prediction.valid()) continue;
      limits.settings = found->second.settings;
    }
    estimate_best(prediction, problem, machine, care, limits, parts);
    best = std::min(best, prediction.seconds);
  }
  std::vector<Prediction> all;
  for (auto& [least, prediction] : known) all.push_back(std::move(prediction));
  return ranked(std::move(all));
}

std::vector<Prediction> predict_levels(const Problem& problem, const Machine& machine, Care care) {
  const Screen screened = screen(problem, machine, care);
  std::vector<Prediction> all = rank_levels(problem, machine, care, screened);
  // What is best on a few nodes may be too long to make on all.
  const bool is_any_left = !all.empty() && all.front().valid();
  return is_any_left || screened.empty() ? all : rank_levels(problem, machine, care, {});
}

/// Over the links of a mesh; hybrids also in its own shape, from all dimensions short to all long.
void follow_links(Prediction& prediction, const Problem& problem, const Machine& machine,
                  const Mesh& mesh) {
  const Algorithm& algorithm = *prediction.algorithm;
  prediction.seconds = estimate(problem, algorithm, prediction.parameters, machine);
  if (value_of(prediction.parameters, ParameterKind::shape) == nullptr || mesh.p() != problem.p)
    return;
  const std::size_t shape = shape_of(mesh);
  const std::size_t most = value_of(prediction.parameters, ParameterKind::longs) != nullptr
                               ? dimensions_of(shape).size()
                               : 0;
  for (std::size_t longs = 0; longs <= most; ++longs) {
    Parameters given{{std::string(name_of(ParameterKind::shape)), shape}};
    if (most > 0) given.emplace(name_of(ParameterKind::longs), longs);
    if (!algorithm.unmet(problem, given).empty()) continue;
    Parameters parameters = algorithm.resolve(problem, machine.rates, given);
    const double seconds = estimate(problem, algorithm, parameters, machine);
    if (seconds >= prediction.seconds) continue;
    prediction.parameters = std::move(parameters);
    prediction.seconds = seconds;
  }
}

/// The largest of blocks that all ranks know, in bytes; 0 if they are even.
double largest_if_uneven(const Problem& problem) {
  if (problem.counts.empty() || problem.call(0).evenness() != Evenness::uneven) return 0;
  return static_cast<double>(*std::max_element(problem.counts.begin(), problem.counts.end()) *
                             problem.element_bytes);
}

/// Of blocks that differ, cut into pieces: one behind the other they fill the line to the rank that
/// has the least of its own.
double of_pieces(const Problem& problem, double n, const Algorithm& algorithm, const Parameter& cut,
                 Size size, double byte, double alpha) {
  std::size_t& value = size.parameters.find(cut.name)->second;
  // The value that cuts nothing: one piece each, or a piece that holds all.
  const std::size_t all = std::max<std::size_t>(1, problem.total() * problem.element_bytes);
  const std::size_t whole = cut.pieces(problem, 1) <= cut.pieces(problem, all) ? 1 : all;
  const double pieces = static_cast<double>(cut.pieces(problem, value)) /
                        static_cast<double>(cut.pieces(problem, whole));
  value = whole;
  n -= static_cast<double>(*std::min_element(problem.counts.begin(), problem.counts.end()) *
                           problem.element_bytes);
  return (algorithm.rounds.value(size) + pieces - 1) * (alpha + n / pieces * byte);
}

/// Whole blocks that differ: a message holds no more than if all were as large as the `largest`,
/// and no more than all data.
double of_whole(double n, double largest, const Algorithm& algorithm, Size size, double byte,
                const Rates& rates) {
  Rates free = rates, bytes_alone = rates;
  free.beta = free.beta_uni = free.gamma = 0;
  bytes_alone.alpha = bytes_alone.alpha_uni = bytes_alone.post = 0;
  const double latency = algorithm.seconds(size, free);
  const double messages =
      algorithm.cost.value(size, {.alpha = 1}) + algorithm.cost.value(size, {.alpha_uni = 1});
  size.n = size.p * largest;
  return latency + std::min(algorithm.seconds(size, bytes_alone), messages * n * byte);
}

}  // namespace

std::vector<Parameters> by_domain(const Algorithm& algorithm, const Problem& problem) {
  if (problem.topology == nullptr || !problem.topology->has_domains() ||
      !algorithm.has(ParameterKind::leaders))
    return {};
  const Parameters alike{{std::string(name_of(ParameterKind::leaders)), Leaders::of_domains}};
  std::vector<Parameters> found{alike};
  const Parameter& inner = *algorithm.inner();
  const auto known = algorithms_of(inner.inner->collective);
  const auto leader = std::find_if(known.begin(), known.end(), [](const Algorithm* each) {
    return each->name == "leader" && each->may_be_inner();
  });
  if (problem.topology->nodes() > 1 && leader != known.end()) {
    found.push_back(alike);
    found.back().emplace(inner.name, static_cast<std::size_t>(leader - known.begin()));
  }
  std::erase_if(found,
                [&](const Parameters& given) { return !algorithm.unmet(problem, given).empty(); });
  return found;
}

double closed_form(const Problem& problem, double n, const Algorithm& algorithm,
                   const Parameters& parameters, const Rates& rates) {
  const Size size{problem.p, n, problem.root, problem.commutative, parameters};
  const double largest = largest_if_uneven(problem);
  if (largest == 0) return algorithm.seconds(size, rates);
  const double byte =
      std::max(rates.beta, rates.beta_uni) + (reduces(problem.collective) ? rates.gamma : 0);
  for (const Parameter& each : algorithm.parameters)
    if (each.pieces != nullptr)
      return of_pieces(problem, n, algorithm, each, size, byte, rates.alpha);
  return of_whole(n, largest, algorithm, size, byte, rates);
}

Problem even_problem(Collective collective, int p, std::size_t n, bool commutative, Rank root) {
  Problem problem{.collective = collective, .p = p, .root = root, .commutative = commutative};
  const auto ranks = static_cast<std::size_t>(p);
  problem.element_bytes = usual_element_bytes(collective);
  const auto whole = [](std::size_t a, std::size_t b) { return a / b + (a % b != 0); };
  const std::size_t elements = whole(n, problem.element_bytes);
  problem.count = is_vector(collective) ? elements : whole(elements, ranks);
  return problem;
}

bool has_common_size(Collective collective) {
  switch (collective) {
    case Collective::barrier:
    case Collective::scatterv:
    case Collective::gatherv:
    case Collective::alltoallv:
    case Collective::alltoallw: return false;
    default: return true;
  }
}

std::size_t guessed_bytes(Collective collective, int p) {
  constexpr std::size_t of_a_rank = 1024;
  return collective == Collective::barrier ? 0 : static_cast<std::size_t>(p) * of_a_rank;
}

bool has_levels(const Topology* topology) { return topology != nullptr && topology->largest() > 1; }

std::size_t shape_of(const Mesh& mesh) {
  std::size_t shape = 0;
  for (int d = mesh.dimensions() - 1; d >= 0; --d)
    if (mesh.extent(d) > 1) shape = with_first(mesh.extent(d), shape);
  return shape;
}

bool follows_links(const Topology* topology, const Machine& machine) {
  return machine.mesh_of(topology).has_value();
}

bool is_estimated(const Topology* topology, const Machine& machine) {
  return has_levels(topology) || follows_links(topology, machine);
}

std::vector<Prediction> predict(Collective collective, int p, std::size_t n, const Rates& rates,
                                bool commutative, Rank root) {
  if (p < 1)
    throw std::invalid_argument(fmt::format("p = {}, but there must be at least one rank", p));
  if (root < 0 || root >= p)
    throw std::invalid_argument(fmt::format("root {} is not one of the ranks 0..{}", root, p - 1));
  return predict_flat(even_problem(collective, p, n, commutative, root), static_cast<double>(n),
                      rates);
}

std::vector<Prediction> predict(const Problem& problem, const Machine& machine,
                                std::optional<std::size_t> n, Care care) {
  const Topology* const topology = problem.topology.get();
  if (follows_links(topology, machine)) {
    const Mesh mesh = *machine.mesh_of(topology);
    Machine free = machine;
    free.mesh.reset();
    std::vector<Prediction> all = predict(problem, free, n);  // a hybrid's shape is not known yet
    double best = std::numeric_limits<double>::infinity();
    for (Prediction& each : all) {
      if (!each.valid()) break;
      // The shape that is best without conflicts says little of a hybrid in the mesh's.
      if (each.seconds >= promising * best &&
          value_of(each.parameters, ParameterKind::shape) == nullptr)
        continue;
      // Closed forms are for equal blocks.
      if (!has_levels(topology)) each.parameters = each.algorithm->resolve(problem, machine.rates);
      follow_links(each, problem, machine, mesh);
      best = std::min(best, each.seconds);
    }
    const auto table = algorithms_of(problem.collective);
    const auto place = [&](const Prediction& each) {
      return std::find(table.begin(), table.end(), each.algorithm);
    };
    std::sort(all.begin(), all.end(),
              [&](const Prediction& a, const Prediction& b) { return place(a) < place(b); });
    return ranked(std::move(all));
  }
  if (!has_levels(topology)) {
    const std::size_t bytes = n.value_or(problem.total() * problem.element_bytes);
    if (largest_if_uneven(problem) > 0)
      return predict_flat(problem, static_cast<double>(bytes), machine.rates);
    return predict(problem.collective, problem.p, bytes, machine.rates, problem.commutative,
                   problem.root);
  }
  return predict_levels(problem, machine, problem.p > most_thorough ? Care::quick : care);
}

std::vector<const Algorithm*> DecisionMap::winners() const {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : algorithms_of(collective))
    if (std::any_of(cells.begin(), cells.end(),
                    [&](const Cell& cell) { return cell.algorithm == algorithm; }))
      found.push_back(algorithm);
  return found;
}

DecisionMap decision_map(Collective collective, std::span<const int> p,
                         std::span<const std::size_t> sizes, const Rates& rates, bool commutative) {
  DecisionMap map{collective, {p.begin(), p.end()}, {sizes.begin(), sizes.end()}, {}};
  for (const int ranks : p)
    for (const std::size_t size : sizes) {
      const std::vector<Prediction> all = predict(collective, ranks, size, rates, commutative);
      const bool tie = all.size() > 1 && all[1].valid() && same(all[0].seconds, all[1].seconds);
      map.cells.push_back({all[0].algorithm, all[0].seconds, tie});
    }
  return map;
}

}  // namespace tutti::core
