#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "algorithms/cost/cost.hpp"
#include "algorithms/front.hpp"
#include "algorithms/cost/hybrid_cost.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/shape.hpp"

namespace tutti::core {

namespace {

// The papers' letters, short, for the closed forms of the table; K is what is known of the other
// parameters. `share` is (p-1)/p.
using S = const Size&;
using R = const Rates&;
using K = const Parameters&;
double share(S s) { return (s.p - 1.0) / s.p; }
int rounds(double messages) { return static_cast<int>(std::lround(messages)); }
bool exact_p(S s) { return is_power_of_two(s.p); }
/// The 2^floor(lg p) ranks that go on after folding, and their logarithm.
double kept(S s) { return power_of_two_below(s.p); }
double lg_kept(S s) { return floor_log2(s.p); }

double segments(S s) { return std::max(1.0, std::ceil(s.n / s.parameter("segment"))); }
double blocks(S s) { return std::max(1.0, s.parameter("blocks")); }

// Scratch, in elements.
std::size_t none(const Problem&) { return 0; }
std::size_t vector(const Problem& problem) { return problem.p > 1 ? problem.total() : 0; }
std::size_t if_in_place(const Problem& problem, std::size_t elements) {
  for (const bool flag : problem.in_place)
    if (flag && problem.p > 1) return elements;
  return 0;
}
std::size_t vector_in_place(const Problem& problem) {
  return if_in_place(problem, problem.total());
}
std::size_t largest_block(const Problem& problem) {
  std::size_t most = 0;
  for (Rank i = 0; i < problem.p; ++i) most = std::max(most, problem.block(i));
  return most;
}
/// The most that any rank but the root keeps for those below it in a binomial tree, with `header`
/// bytes for each rank of its subtree.
std::size_t subtree(const Problem& problem, std::size_t header) {
  std::size_t most = 0;
  for (Rank r = 0; r < problem.p; ++r) {
    const int end = subtree_end(problem.p, problem.root, r);
    if (r == problem.root || end - r == 1) continue;
    std::size_t kept = header * static_cast<std::size_t>(end - r);
    for (Rank i = r + 1; i < end; ++i) kept += problem.block(i);
    most = std::max(most, kept);
  }
  return most;
}

// Parameters.
std::size_t clamp_blocks(double k, double elements) {
  const double most = std::min(static_cast<double>(most_pieces), elements);
  return static_cast<std::size_t>(std::lround(std::clamp(k, 1.0, std::max(1.0, most))));
}
double bytes_of(const Problem& problem) {
  return static_cast<double>(problem.total() * problem.element_bytes);
}
/// (stages + k) (alpha + n/k beta) is least at k = sqrt(stages n beta / alpha).
double best_blocks(double stages, double n, double alpha, double beta) {
  return stages <= 0 || alpha <= 0 ? 1.0 : std::sqrt(stages * n * beta / alpha);
}
std::size_t chain_segment(const Problem& problem, double alpha, double beta) {
  const double n = bytes_of(problem);
  const std::size_t k = clamp_blocks(best_blocks(problem.p - 2, n, alpha, beta),
                                     static_cast<double>(problem.total()));
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(n / static_cast<double>(k))));
}

/// How many pieces, for Parameter::pieces.
std::size_t cut_to(const Problem& problem, std::size_t segment) {
  const std::size_t bytes = problem.total() * problem.element_bytes;
  return bytes / segment + (bytes % segment != 0);
}
std::size_t cut_into(const Problem&, std::size_t blocks) { return blocks; }
/// Every rank's block is cut.
std::size_t cut_each_into(const Problem& problem, std::size_t blocks) {
  return blocks > most_pieces ? blocks : blocks * static_cast<std::size_t>(problem.p);
}

const Parameter bcast_segment{
    "segment",
    "bytes per segment",
    1,
    "sqrt(n alpha / ((p-2) beta)); all of it at p = 2",
    [](const Problem& problem, R r, K) { return chain_segment(problem, r.alpha, r.beta); },
    cut_to};
const Parameter reduce_segment{"segment",
                               "bytes per segment",
                               1,
                               "sqrt(n alpha / ((p-2) (beta+gamma))); all of it at p = 2",
                               [](const Problem& problem, R r, K) {
                                 return chain_segment(problem, r.alpha, r.beta + r.gamma);
                               },
                               cut_to};
const Parameter bcast_blocks{
    "blocks",
    "number of blocks",
    1,
    "sqrt((q-1) n beta / alpha)",
    [](const Problem& problem, R r, K) {
      return clamp_blocks(best_blocks(ceil_log2(problem.p) - 1, bytes_of(problem), r.alpha, r.beta),
                          static_cast<double>(problem.total()));
    },
    cut_into};
const Parameter reduce_blocks{
    "blocks",
    "number of blocks",
    1,
    "sqrt((q-1) n (beta+gamma) / alpha)",
    [](const Problem& problem, R r, K) {
      return clamp_blocks(
          best_blocks(ceil_log2(problem.p) - 1, bytes_of(problem), r.alpha, r.beta + r.gamma),
          static_cast<double>(problem.total()));
    },
    cut_into};
const Parameter radix{"radix",
                      "digits of the distance",
                      2,
                      "2",
                      [](const Problem&, R, K) -> std::size_t { return 2; },
                      nullptr};
/// Messages to the parts of a range overlap, but for posting and their bytes.
std::size_t best_tree_radix(const Problem& problem, R r) {
  constexpr std::size_t fewest = 3, most = 16;  // 2 is the binomial tree
  std::size_t best = fewest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t radix = fewest; radix <= most && r.post > 0; ++radix) {
    double levels = 0;
    for (std::size_t width = 1; width < static_cast<std::size_t>(problem.p); width *= radix)
      ++levels;
    const double parts = static_cast<double>(radix) - 1;
    // Blocks leave the root, or come to it, as often whatever the radix is.
    const double bytes =
        problem.collective == Collective::scatter || problem.collective == Collective::gather
            ? 0
            : parts * bytes_of(problem);
    const double seconds =
        levels * (r.alpha_uni + (parts - 1) * std::min(r.post, r.alpha_uni) +
                  bytes * (r.beta_uni + (reduces(problem.collective) ? r.gamma : 0)));
    if (seconds < least * (1 - 1e-9)) best = radix, least = seconds;
  }
  return best;
}
const Parameter tree_radix{
    "radix",
    "parts of a range",
    2,
    "3; where the rates tell how messages overlap, up to 16: the least time",
    [](const Problem& problem, R r, K) { return best_tree_radix(problem, r); },
    nullptr};

bool equal_blocks(const Problem& problem) {
  return std::all_of(problem.counts.begin(), problem.counts.end(),
                     [&](std::size_t count) { return count == problem.counts[0]; });
}

/// Equal blocks all move at once whatever their number is, so that more than one only costs rounds.
const Parameter allgatherv_blocks{
    "blocks",
    "number of pieces of each block",
    1,
    "1; unequal blocks: sqrt((q-1) n beta / alpha)",
    [](const Problem& problem, R r, K) {
      const std::size_t most = most_pieces / static_cast<std::size_t>(problem.p) + 1;
      return equal_blocks(problem) ? 1 : std::min(most, bcast_blocks.default_value(problem, r, {}));
    },
    cut_each_into};

/// Equation (2) of Träff et al. 2008, and what it leaves open: equal blocks are not cut; with one
/// rank that has data it is a chain; two ranks gain nothing from pieces.
std::size_t pipelined_segment(const Problem& problem, R r, K) {
  if (equal_blocks(problem))
    return std::max<std::size_t>(1, problem.block(0) * problem.element_bytes);
  std::size_t most = 0, total = 0, empty = 0;
  for (Rank i = 0; i < problem.p; ++i) {
    const std::size_t count = problem.block(i);
    most = std::max(most, count);
    total += count;
    empty += count == 0;
  }
  const double p = problem.p, z = static_cast<double>(empty);
  const double whole = static_cast<double>(std::max<std::size_t>(1, most * problem.element_bytes));
  double stages = (p + z) / 2 - 1 + (z < p ? std::floor(z / (p - z)) : 0);
  if (z == p - 1) stages = p - 2;
  if (z == p || stages <= 0 || r.beta <= 0) return static_cast<std::size_t>(whole);
  const double m = static_cast<double>(total * problem.element_bytes);
  const double best = std::max(std::sqrt(m * r.alpha / (r.beta * stages)),
                               std::ceil(m / static_cast<double>(most_pieces)));
  return static_cast<std::size_t>(std::clamp(std::round(best), 1.0, whole));
}
const Parameter pipelined_ring_segment{"segment",
                                       "bytes per piece (the paper's B)",
                                       1,
                                       "equation (2); equal blocks are not cut; p = 2: not cut",
                                       pipelined_segment,
                                       cut_to};

/// What passes through a rank other than the root of a scatter or gather, over any mesh: most of it
/// along the first dimension.
std::size_t passing(const Problem& problem) {
  int most = 0;
  for (int d = 2; d <= problem.p; ++d) {
    if (problem.p % d != 0) continue;
    const int behind = problem.p / d, root = problem.root / behind;
    for (const Halving& level : halvings(d, root, root))
      most = std::max(most, (level.to - level.from) * behind);
  }
  return most > 1 ? static_cast<std::size_t>(most) * problem.count : 0;
}

const Parameter shape_parameter{
    .name = "shape",
    .meaning = "the mesh of ranks, as 16x32; its last dimension is the fastest",
    .default_text = "the fastest by the model; beyond 2^16 ranks one dimension",
    .default_value =
        [](const Problem& problem, R r, K known) {
          const auto longs = known.find("long");
          return longs == known.end() ? best_shape(problem, r)
                                      : best_shape(problem, r, longs->second);
        },
    .parse = parse_shape,
    .format = format_shape,
    .unmet = [](const Problem& problem, std::size_t value) -> std::string {
      std::size_t ranks = 1;
      for (const int dimension : dimensions_of(value)) ranks *= static_cast<std::size_t>(dimension);
      if (ranks == static_cast<std::size_t>(problem.p)) return {};
      return fmt::format("needs {} ranks for shape={}, not {}", ranks, format_shape(value),
                         problem.p);
    }};
std::size_t default_longs(const Problem& problem, R r, K known) {
  return best_longs(problem, r, known.at("shape"));
}
constexpr std::string_view longs_meaning =
    "how many dimensions, from the first on, share out long vectors";
const Parameter long_parameter{.name = "long",
                               .meaning = longs_meaning,
                               .least = 0,
                               .default_text = "the fastest by the model",
                               .default_value = default_longs};
/// Rings do not keep the order of ranks.
const Parameter reduction_long_parameter{
    .name = "long",
    .meaning = longs_meaning,
    .least = 0,
    .default_text = "the fastest by the model; 0 if the operator does not commute",
    .default_value = default_longs,
    .unmet = [](const Problem& problem, std::size_t value) -> std::string {
      return value == 0 || problem.commutative ? "" : "needs a commutative operator, unless long=0";
    }};
template <Collective collective>
double hybrid_seconds(S s, R r) {
  const Hybrid hybrid = front::hybrid_of(s.parameters);
  return hybrid_cost(collective, s.root, s.n, hybrid.shape, hybrid.longs, r);
}
template <Collective collective>
int hybrid_rounds(S s) {
  return rounds(hybrid_seconds<collective>(s, count_messages));
}

/// The number of one-bits in 1..p-1: how many blocks a rank sends in Bruck's all-to-all of radix 2.
double one_bits_below(int p) {
  double bits = 0;
  for (int bit = 1; bit < p; bit *= 2)
    bits += p / (2 * bit) * bit + std::max(0, p % (2 * bit) - bit);
  return bits;
}
/// A radix beyond p is as good as p.
int radix_of(S s) {
  return static_cast<int>(std::min<double>(s.parameter("radix"), std::max(2, s.p)));
}
int levels_of(S s) {
  int levels = 0;
  for (long width = 1; width < s.p; width *= radix_of(s)) ++levels;
  return levels;
}
/// Messages and blocks sent in Bruck's all-to-all of any radix.
void bruck_volume(S s, double& messages, double& sent) {
  const long base = radix_of(s);
  messages = sent = 0;
  if (base == 2) {
    messages = s.q();
    sent = one_bits_below(s.p);
    return;
  }
  for (long weight = 1; weight < s.p; weight *= base)
    for (long digit = 1; digit < base && digit * weight < s.p; ++digit) {
      ++messages;
      const long period = weight * base, rest = s.p % period;
      sent += static_cast<double>(s.p / period * weight +
                                  std::clamp(rest - digit * weight, 0L, weight));
    }
}

// Compositions over nodes. What runs between the leaders of the nodes, or of parts of them:
Topology parts_of(const Problem& problem, const Parameters& parameters) {
  return front::parts_of(front::nodes_of(problem.topology, problem.p), parameters);
}
/// The problem itself, with a rank for each node.
Problem between_leaders(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result{.collective = problem.collective,
                 .p = nodes.nodes(),
                 .root = nodes.node_of(problem.root),
                 .count = problem.count,
                 .commutative = problem.commutative,
                 .element_bytes = problem.element_bytes};
  if (allows_in_place(problem.collective) && !has_root(problem.collective))
    result.in_place.assign(nodes.nodes(), true);
  return result;
}
/// The same, of a v-operation: a block holds those of a node.
template <Collective irregular>
Problem blocks_between_leaders(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = irregular;
  result.count = 0;
  result.counts.resize(nodes.nodes());
  for (Rank r = 0; r < problem.p; ++r) result.counts[nodes.node_of(r)] += problem.block(r);
  return result;
}
/// All-to-all: from each rank of a node to each of another.
Problem alltoall_between_leaders(const Problem& problem, const Parameters& parameters) {
  const auto most = static_cast<std::size_t>(parts_of(problem, parameters).largest());
  Problem result = between_leaders(problem, parameters);
  result.count *= most * most;
  result.in_place.clear();
  return result;
}

Problem alltoallv_between_leaders(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = Collective::alltoallv;
  result.count = 0;
  result.in_place.clear();
  const auto p = static_cast<std::size_t>(nodes.nodes());
  result.counts.resize(p * p);
  for (Rank i = 0; i < problem.p; ++i)
    for (Rank j = 0; j < problem.p; ++j)
      result.counts[nodes.node_of(i) * p + nodes.node_of(j)] += problem.block(i, j);
  return result;
}

/// Scatter and gather: blocks as large as the largest node's.
Problem padded_between_leaders(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  result.count *= static_cast<std::size_t>(parts_of(problem, parameters).largest());
  return result;
}

// What runs in a lane; the first is the largest.
Problem in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  const auto lanes = static_cast<std::size_t>(parts_of(problem, parameters).smallest());
  result.count = (problem.count + lanes - 1) / lanes;
  return result;
}
/// Ranks of a node that the first lane serves, on the node where they are most.
std::size_t most_served(const Topology& nodes) {
  return static_cast<std::size_t>((nodes.largest() + nodes.smallest() - 1) / nodes.smallest());
}
template <Collective irregular>
Problem blocks_in_lane(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = irregular;
  result.count = 0;
  result.counts.resize(nodes.nodes());
  for (Rank r = 0; r < problem.p; ++r)
    if (nodes.place_of(r) % nodes.smallest() == 0)
      result.counts[nodes.node_of(r)] += problem.block(r);
  return result;
}
/// Scatter and gather: blocks as large as those of the node where the lane serves most.
Problem padded_in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = between_leaders(problem, parameters);
  result.count *= most_served(parts_of(problem, parameters));
  return result;
}
Problem exscan_in_lane(const Problem& problem, const Parameters& parameters) {
  Problem result = in_lane(problem, parameters);
  result.collective = Collective::exscan;
  result.in_place.clear();
  return result;
}
Problem alltoall_in_lane(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.count *= static_cast<std::size_t>(nodes.largest()) * most_served(nodes);
  result.in_place.clear();
  return result;
}
Problem alltoallv_in_lane(const Problem& problem, const Parameters& parameters) {
  const Topology nodes = parts_of(problem, parameters);
  Problem result = between_leaders(problem, parameters);
  result.collective = Collective::alltoallv;
  result.count = 0;
  result.in_place.clear();
  const auto p = static_cast<std::size_t>(nodes.nodes());
  result.counts.resize(p * p);
  for (Rank i = 0; i < problem.p; ++i)
    for (Rank j = 0; j < problem.p; ++j)
      if (nodes.place_of(j) % nodes.smallest() == 0)
        result.counts[nodes.node_of(i) * p + nodes.node_of(j)] += problem.block(i, j);
  return result;
}
/// What aggregation and distribution keep: n on equal nodes.
std::size_t lane_alltoall_scratch(const Problem& problem) {
  const Topology nodes = front::nodes_of(problem.topology, problem.p);
  const auto s = static_cast<std::size_t>(nodes.largest()), most = most_served(nodes);
  const std::size_t lane = nodes.nodes() * s * most * problem.count, n = problem.total();
  return lane + (most - 1) * n + vector_in_place(problem) + (nodes.is_uniform() ? 0 : lane);
}

/// What aggregation of unequal blocks keeps: of what passes through a node's rank in a lane and
/// what those that it serves there get, the most; and the counts, of which each rank tells its own,
/// too.
std::size_t learned_aggregation_scratch(const Problem& problem) {
  const Topology nodes = front::nodes_of(problem.topology, problem.p);
  const auto number = static_cast<std::size_t>(nodes.smallest());
  std::vector<std::size_t> data(nodes.nodes() * number);
  for (Rank i = 0; i < problem.p; ++i)
    for (Rank j = 0; j < problem.p; ++j) {
      const std::size_t lane = nodes.place_of(j) % number, block = problem.block(i, j);
      data[nodes.node_of(i) * number + lane] += block;
      data[nodes.node_of(j) * number + lane] += block;
    }
  const auto s = static_cast<std::size_t>(nodes.largest()), most = most_served(nodes);
  const std::size_t counts = s * most * nodes.nodes() + (most + 1) * problem.p;
  return *std::max_element(data.begin(), data.end()) + bytes_per_count * counts;
}

Parameter inner_parameter(InnerProblem problem) {
  return {.name = "inner",
          .meaning = "the algorithm between the nodes, by name",
          .least = 0,
          .default_text = "the fastest by the model",
          .inner = problem};
}
const Parameter leaders_parameter{"leaders",
                                  "leaders of each node, at most its ranks",
                                  1,
                                  "2",
                                  [](const Problem&, R, K) -> std::size_t { return 2; },
                                  nullptr};

/// Ranks of the largest node.
std::size_t largest_node(const Problem& problem) {
  return static_cast<std::size_t>(front::nodes_of(problem.topology, problem.p).largest());
}

constexpr std::string_view lane_source = "Kumar, Mamidala, Panda 2008, 7 (their future work)";
constexpr std::string_view node_aware_source = "Kumar, Mamidala, Panda 2008, 5 (their baseline)";
constexpr std::string_view smp_source = "Kumar, Mamidala, Panda 2008, 4 and 5 (their baseline)";

constexpr Valid any{};
constexpr Valid consecutive_nodes{.nodes = Valid::Nodes::consecutive};
constexpr Valid ordered_nodes{.nodes = Valid::Nodes::consecutive_unless_commutative};
constexpr Valid commutative{.commutative = true};
constexpr Valid power_of_two{.power_of_two = true};

std::vector<Algorithm> table() {
  using C = Collective;
  std::vector<Algorithm> rows;
  const auto add = [&](std::initializer_list<C> collectives, Algorithm row) {
    for (const C collective : collectives) {
      row.collective = collective;
      rows.push_back(row);
    }
  };

  add({C::barrier}, {.name = "linear",
                     .summary = "token to everyone, from everyone",
                     .valid = any,
                     .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                     .cost = {"(p-1) alpha", [](S s, R r) { return (s.p - 1) * r.alpha; }},
                     .scratch = {"none", none},
                     .source = "baseline",
                     .file = "barrier/linear.cpp",
                     .generate = front::barrier<barrier_linear>});
  add({C::barrier}, {.name = "dissemination",
                     .summary = "round k: token to r+2^k, from r-2^k",
                     .valid = any,
                     .rounds = {"q", [](S s) { return s.q(); }},
                     .cost = {"q alpha", [](S s, R r) { return s.q() * r.alpha; }},
                     .scratch = {"none", none},
                     .source = "Thakur, Rabenseifner, Gropp 2005, 4.1.2",
                     .file = "barrier/dissemination.cpp",
                     .generate = front::barrier<barrier_dissemination>});
  add({C::barrier}, {.name = "binomial",
                     .summary = "combine to 0, then broadcast, empty messages",
                     .valid = any,
                     .rounds = {"2q", [](S s) { return 2 * s.q(); }},
                     .cost = {"2q alpha_uni", [](S s, R r) { return 2 * s.q() * r.alpha_uni; }},
                     .scratch = {"none", none},
                     .source = "Mitra et al. 1995, 3.1.1",
                     .file = "barrier/binomial.cpp",
                     .generate = front::barrier<barrier_binomial>});

  add({C::bcast}, {.name = "linear",
                   .summary = "the root sends to each",
                   .valid = any,
                   .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                   .cost = {"(p-1) (alpha_uni + n beta_uni)",
                            [](S s, R r) { return (s.p - 1) * one_way(r, s.n); }},
                   .scratch = {"none", none},
                   .source = "baseline",
                   .file = "bcast/linear.cpp",
                   .generate = front::bcast<bcast_linear>});
  add({C::bcast},
      {.name = "binomial",
       .summary = "minimum spanning tree by range halving",
       .valid = any,
       .rounds = {"q", [](S s) { return s.q(); }},
       .cost = {"q (alpha_uni + n beta_uni)", [](S s, R r) { return s.q() * one_way(r, s.n); }},
       .scratch = {"none", none},
       .source = "Thakur, Gropp 2002, 4.3; Mitra et al. 1995, 3.1.1",
       .file = "bcast/binomial.cpp",
       .generate = front::bcast<bcast_binomial>});
  add({C::bcast},
      {.name = "knomial",
       .summary = "tree by splitting ranges into radix parts",
       .valid = any,
       .rounds = {"ceil(log p), to the base radix", levels_of},
       .cost = {"at most (radix-1) rounds (alpha_uni + n beta_uni)",
                [](S s, R r) { return bcast_knomial_cost(s.p, s.root, radix_of(s), s.n, r); }},
       .scratch = {"none", none},
       .source = "baseline",
       .file = "bcast/knomial.cpp",
       .parameters = {tree_radix},
       .generate = front::bcast<bcast_knomial>});
  add({C::bcast},
      {.name = "scatter_allgather_recursive_doubling",
       .summary = "binomial scatter, recursive-doubling allgather",
       .valid = any,
       .rounds = {"2q (2^k); at most 3q",
                  [](S s) {
                    return s.q() + rounds(doubling_allgather_cost(s.p, 1, count_messages));
                  }},
       .cost = {"q (alpha_uni + alpha) + (p-1)/p n (beta_uni + beta) (2^k); else a bound",
                [](S s, R r) {
                  return tree_cost(s.p, s.root, s.n / s.p, r) +
                         doubling_allgather_cost(s.p, s.n / s.p, r);
                }},
       .exact = Exact::powers_of_two,
       .scratch = {"none", none},
       .source = "Thakur, Gropp 2002, 4.3",
       .file = "bcast/scatter_allgather_recursive_doubling.cpp",
       .generate = front::bcast<bcast_scatter_allgather_recursive_doubling>});
  add({C::bcast}, {.name = "scatter_allgather_ring",
                   .summary = "binomial scatter, ring allgather",
                   .valid = any,
                   .rounds = {"q + p - 1", [](S s) { return s.q() + s.p - 1; }},
                   .cost = {"q alpha_uni + (p-1) alpha + (p-1)/p n (beta_uni + beta) (root 0)",
                            [](S s, R r) {
                              return tree_cost(s.p, s.root, s.n / s.p, r) +
                                     (s.p - 1) * exchange(r, s.n / s.p);
                            }},
                   .scratch = {"none", none},
                   .source = "Thakur, Rabenseifner, Gropp 2005, 4.2; Mitra et al. 1995, 3.2.2",
                   .file = "bcast/scatter_allgather_ring.cpp",
                   .generate = front::bcast<bcast_scatter_allgather_ring>});
  add({C::bcast},
      {.name = "chain",
       .summary = "pipelined chain of segments",
       .valid = any,
       .rounds = {"p - 2 + k",
                  [](S s) { return s.p > 1 ? s.p - 2 + static_cast<int>(segments(s)) : 0; }},
       .cost = {"(p-2 + k) (alpha + n/k beta), k = n / segment; first and last one way",
                [](S s, R r) { return bcast_chain_cost(s.p, s.n, segments(s), r); }},
       .scratch = {"none", none},
       .source = "Träff et al. 2008, 2.2 (its degenerate case)",
       .file = "bcast/chain.cpp",
       .parameters = {bcast_segment},
       .generate = front::bcast<bcast_chain>});
  add({C::bcast},
      {.name = "circulant",
       .summary = "k blocks over the circulant graph, round-optimal for every p",
       .valid = any,
       .rounds = {"k - 1 + q",
                  [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
       .cost = {"(k-1 + q) (alpha + n/k beta)",
                [](S s, R r) {
                  const double part = s.n / blocks(s);
                  if (s.p < 3) return (s.p - 1) * blocks(s) * one_way(r, part);
                  return (blocks(s) - 1 + s.q()) * exchange(r, part);
                }},
       .exact = Exact::one_cost,
       .scratch = {"none", none},
       .source = "Träff 2022-2025",
       .file = "bcast/circulant.cpp",
       .parameters = {bcast_blocks},
       .generate = front::bcast<bcast_circulant>});

  const auto linear_to_root = [](S s, R r) {
    return (s.p - 1) * r.alpha_uni + share(s) * s.n * r.beta_uni;
  };
  const auto binomial_to_root = [](S s, R r) { return tree_cost(s.p, s.root, s.n / s.p, r); };
  Algorithm scatter_row{.name = "linear",
                        .summary = "the root sends each its block",
                        .valid = any,
                        .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                        .cost = {"(p-1) alpha_uni + (p-1)/p n beta_uni", linear_to_root},
                        .scratch = {"none", none},
                        .source = "Thakur, Gropp 2002, 4.1",
                        .file = "scatter/linear.cpp",
                        .generate = front::scatterv<scatter_linear>};
  add({C::scatter, C::scatterv}, scatter_row);
  scatter_row.summary = "the root receives each block from its owner";
  scatter_row.file = "gather/linear.cpp";
  scatter_row.generate = front::gatherv<gather_linear>;
  add({C::gather, C::gatherv}, scatter_row);

  Algorithm tree_row{
      .name = "binomial",
      .summary = "minimum spanning tree, halving the data",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha_uni + (p-1)/p n beta_uni (root 0)", binomial_to_root},
      .scratch = {"less than n/2", [](const Problem& problem) { return subtree(problem, 0); }},
      .source = "Thakur, Gropp 2002, 4.1; Mitra et al. 1995, 3.1.1",
      .file = "scatter/binomial.cpp",
      .generate = front::scatter<scatter_binomial>};
  add({C::scatter}, tree_row);
  tree_row.summary = "minimum spanning tree, doubling the data";
  tree_row.file = "gather/binomial.cpp";
  tree_row.generate = front::gather<gather_binomial>;
  add({C::gather}, tree_row);
  tree_row.name = "knomial";
  tree_row.summary = "tree by splitting ranges into radix parts, each of which gets its blocks";
  tree_row.rounds = {"ceil(log p), to the base radix", levels_of};
  tree_row.cost = {
      "at most (radix-1) rounds alpha_uni + (p-1)/p n beta_uni (root 0)",
      [](S s, R r) { return scatter_knomial_cost(s.p, s.root, radix_of(s), s.n / s.p, r); }};
  tree_row.source = "baseline";
  tree_row.file = "scatter/knomial.cpp";
  tree_row.parameters = {tree_radix};
  tree_row.generate = front::scatter<scatter_knomial>;
  add({C::scatter}, tree_row);
  tree_row.summary = "tree by splitting ranges into radix parts, backwards";
  tree_row.cost.value = [](S s, R r) {
    return gather_knomial_cost(s.p, s.root, radix_of(s), s.n / s.p, r);
  };
  tree_row.file = "gather/knomial.cpp";
  tree_row.generate = front::gather<gather_knomial>;
  add({C::gather}, tree_row);

  Algorithm learning_row{
      .name = "binomial",
      .summary = "minimum spanning tree although only the root knows the counts: they travel ahead",
      .valid = any,
      .rounds = {"at most 2q",
                 [](S s) { return rounds(scatterv_tree_cost(s.p, s.root, 1, count_messages)); }},
      .cost = {"at most 2q alpha_uni + ((p-1)/p n + 8 (p-1)) beta_uni (root 0)",
               [](S s, R r) { return scatterv_tree_cost(s.p, s.root, s.n / s.p, r); }},
      .scratch = {"less than n/2, and 8 bytes for each rank below; at the root 8p bytes",
                  [](const Problem& problem) {
                    return std::max(bytes_per_count * static_cast<std::size_t>(problem.p),
                                    subtree(problem, bytes_per_count));
                  }},
      .source = "Thakur, Gropp 2002, 4.1.2 (their open question)",
      .file = "scatterv/binomial.cpp",
      .learns = true,
      .generate = front::scatterv<scatterv_binomial>};
  add({C::scatterv}, learning_row);
  learning_row.rounds.value = [](S s) {
    return rounds(gatherv_tree_cost(s.p, s.root, 1, count_messages));
  };
  learning_row.cost.value = [](S s, R r) { return gatherv_tree_cost(s.p, s.root, s.n / s.p, r); };
  learning_row.scratch = {"less than n/2, and 8 bytes for each rank of the subtree",
                          [](const Problem& problem) {
                            return std::max(bytes_per_count, subtree(problem, bytes_per_count));
                          }};
  learning_row.file = "gatherv/binomial.cpp";
  learning_row.generate = front::gatherv<gatherv_binomial>;
  add({C::gatherv}, learning_row);

  const auto all_to_each = [](S s, R r) { return (s.p - 1) * r.alpha + share(s) * s.n * r.beta; };
  const auto in_q_rounds = [](S s, R r) { return s.q() * r.alpha + share(s) * s.n * r.beta; };
  const auto doubling_rounds = [](S s) {
    return rounds(doubling_allgather_cost(s.p, 1, count_messages));
  };
  add({C::allgather, C::allgatherv}, {.name = "linear",
                                      .summary = "everyone sends to everyone, one slice, one round",
                                      .valid = any,
                                      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                                      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
                                      .scratch = {"none", none},
                                      .source = "baseline",
                                      .file = "allgather/linear.cpp",
                                      .generate = front::allgather<allgather_linear>});
  add({C::allgather, C::allgatherv},
      {.name = "star",
       .summary = "rank 0 receives each block from its owner and sends each all of them",
       .valid = any,
       .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
       .cost = {"2(p-1) alpha_uni + ((p-1)/p + p-1) n beta_uni",
                [](S s, R r) {
                  return 2 * (s.p - 1) * r.alpha_uni + (share(s) + s.p - 1) * s.n * r.beta_uni;
                }},
       .scratch = {"none", none},
       .source = "baseline",
       .file = "allgather/star.cpp",
       .generate = front::allgather<allgather_star>});
  add({C::allgather, C::allgatherv},
      {.name = "ring",
       .summary = "blocks pass round; always the same two neighbours",
       .valid = any,
       .rounds = {"p - 1", [](S s) { return s.p - 1; }},
       .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
       .scratch = {"none", none},
       .source =
           "Thakur, Rabenseifner, Gropp 2005, 4.1; Mitra et al. 1995, 3.1.2; Träff et al. 2008",
       .file = "allgather/ring.cpp",
       .node_ordered = true,
       .generate = front::allgather<allgather_ring, true>});
  add({C::allgather, C::allgatherv},
      {.name = "recursive_doubling",
       .summary = "exchange over doubling distances, with the logarithmic correction for other p",
       .valid = any,
       .rounds = {"q (2^k); at most 2q", doubling_rounds},
       .cost = {"q alpha + (p-1)/p n beta (2^k); else correction steps more",
                [](S s, R r) { return doubling_allgather_cost(s.p, s.n / s.p, r); }},
       .scratch = {"none", none},
       .source = "Thakur, Gropp 2002, 4.2; Thakur, Rabenseifner, Gropp 2005, 4.1.1",
       .file = "allgather/recursive_doubling.cpp",
       .generate = front::allgather<allgather_recursive_doubling>});
  add({C::allgather, C::allgatherv},
      {.name = "bruck",
       .summary = "concatenation, local shift at the end",
       .valid = any,
       .rounds = {"q", [](S s) { return s.q(); }},
       .cost = {"q alpha + (p-1)/p n beta", in_q_rounds},
       .scratch = {"n", [](const Problem& problem) { return problem.total(); }},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.1.2",
       .file = "allgather/bruck.cpp",
       .generate = front::allgather<allgather_bruck>});
  add({C::allgather}, {.name = "gather_bcast",
                       .summary = "binomial gather, binomial broadcast",
                       .valid = any,
                       .rounds = {"2q", [](S s) { return 2 * s.q(); }},
                       .cost = {"2q alpha_uni + ((p-1)/p + q) n beta_uni",
                                [](S s, R r) {
                                  return 2 * s.q() * r.alpha_uni +
                                         (share(s) + s.q()) * s.n * r.beta_uni;
                                }},
                       .scratch = {"none", none},
                       .source = "Mitra et al. 1995, 3.2.1",
                       .file = "allgather/gather_bcast.cpp",
                       .generate = front::allgather<allgather_gather_bcast>});
  add({C::allgather}, {.name = "circulant",
                       .summary = "the circulant reduce-scatter backwards",
                       .valid = any,
                       .rounds = {"q", [](S s) { return s.q(); }},
                       .cost = {"q alpha + (p-1)/p n beta", in_q_rounds},
                       .scratch = {"none", none},
                       .source = "Träff 2024",
                       .file = "allgather/circulant.cpp",
                       .generate = front::allgather<allgather_circulant>});
  add({C::allgatherv},
      {.name = "pipelined_ring",
       .summary = "pieces of at most B pass round; empty ranks stand equidistantly",
       .valid = any,
       .rounds = {"b - min b_i; z empty ranks: b - z - 1 + ceil(z/(p-z)) or more, at most b - 1",
                  [](S s) {
                    const double pieces =
                        std::max(1.0, std::ceil(s.n / s.p / s.parameter("segment")));
                    return static_cast<int>((s.p - 1) * pieces);
                  }},
       .cost = {"(rounds) (alpha + B beta), B = segment",
                [](S s, R r) {
                  const double pieces =
                      std::max(1.0, std::ceil(s.n / s.p / s.parameter("segment")));
                  return (s.p - 1) * (pieces * r.alpha + s.n / s.p * r.beta);
                }},
       .scratch = {"none", none},
       .source = "Träff et al. 2008, 2.2-2.4",
       .file = "allgatherv/pipelined_ring.cpp",
       .node_ordered = true,
       .parameters = {pipelined_ring_segment},
       .generate = front::allgather<allgatherv_pipelined_ring>});
  add({C::allgatherv},
      {.name = "circulant",
       .summary = "every rank broadcasts its pieces at once over the circulant graph",
       .valid = any,
       .rounds = {"k - 1 + q",
                  [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
       .cost = {"(k-1 + q) alpha + (p-1)/p n beta",
                [](S s, R r) {
                  return s.p > 1 ? (blocks(s) - 1 + s.q()) * r.alpha + share(s) * s.n * r.beta
                                 : 0.0;
                }},
       .scratch = {"none", none},
       .source = "Träff 2022-2025",
       .file = "allgatherv/circulant.cpp",
       .parameters = {allgatherv_blocks},
       .generate = front::allgather<allgatherv_circulant>});

  add({C::reduce},
      {.name = "linear",
       .summary = "all send to the root, combined in rank order in one round",
       .valid = any,
       .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
       .cost = {"(p-1) (alpha_uni + n beta_uni + n gamma)",
                [](S s, R r) { return (s.p - 1) * (one_way(r, s.n) + s.n * r.gamma); }},
       .scratch = {"at most n", vector},
       .source = "baseline",
       .file = "reduce/linear.cpp",
       .generate = front::reduce<reduce_linear>});
  add({C::reduce}, {.name = "binomial",
                    .summary = "minimum spanning tree combine-to-one, ranges contiguous",
                    .valid = any,
                    .rounds = {"q", [](S s) { return s.q(); }},
                    .cost = {"q (alpha_uni + n beta_uni + n gamma)",
                             [](S s, R r) { return s.q() * (one_way(r, s.n) + s.n * r.gamma); }},
                    .scratch = {"at most n", vector},
                    .source = "Mitra et al. 1995, 3.1.1; Thakur, Rabenseifner, Gropp 2005, 4.5",
                    .file = "reduce/binomial.cpp",
                    .generate = front::reduce<reduce_binomial>});
  add({C::reduce},
      {.name = "knomial",
       .summary = "tree by splitting ranges into radix parts, backwards",
       .valid = any,
       .rounds = {"ceil(log p), to the base radix", levels_of},
       .cost = {"at most (radix-1) rounds (alpha_uni + n beta_uni + n gamma)",
                [](S s, R r) { return reduce_knomial_cost(s.p, s.root, radix_of(s), s.n, r); }},
       .scratch = {"at most n", vector},
       .source = "baseline",
       .file = "reduce/knomial.cpp",
       .parameters = {tree_radix},
       .generate = front::reduce<reduce_knomial>});
  add({C::reduce},
      {.name = "rabenseifner",
       .summary =
           "vector halving, distance doubling; binomial gather; folds half vectors for other p",
       .valid = any,
       .rounds = {"2q (2^k); else 2 + 2 floor(lg p)",
                  [](S s) { return exact_p(s) ? 2 * s.q() : 2 + 2 * floor_log2(s.p); }},
       .cost =
           {"lg p (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma) (2^k); else fold first",
            [](S s, R r) {
              const double part = (kept(s) - 1) / kept(s);
              const double fold =
                  exact_p(s) ? 0 : exchange(r, s.n / 2) + one_way(r, s.n / 2) + s.n / 2 * r.gamma;
              return fold + lg_kept(s) * (r.alpha + r.alpha_uni) +
                     part * s.n * (r.beta + r.beta_uni + r.gamma);
            }},
       .scratch = {"at most n", vector},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.5 and 5.1",
       .file = "reduce/rabenseifner.cpp",
       .generate = front::reduce<reduce_rabenseifner>});
  add({C::reduce},
      {.name = "binary_blocks",
       .summary = "blocks of 2^k ranks reduce-scatter, hand up to the next larger, gather",
       .valid = any,
       .rounds = {"2q; other p and root in the largest block: 2q - 1",
                  [](S s) { return exact_p(s) || s.root >= kept(s) ? 2 * s.q() : 2 * s.q() - 1; }},
       .cost = {"as rabenseifner (2^k); else delta_expo_max decides",
                [](S s, R r) { return reduce_binary_blocks_cost(s.p, s.root, s.n, r); }},
       .scratch = {"at most n", vector},
       .source = "Thakur, Rabenseifner, Gropp 2005, 5.2",
       .file = "reduce/binary_blocks.cpp",
       .generate = front::reduce<reduce_binary_blocks>});
  add({C::reduce},
      {.name = "pairwise_direct",
       .summary = "pairwise reduce-scatter, each sends its segment straight to the root",
       .valid = commutative,
       .rounds = {"p", [](S s) { return s.p > 1 ? s.p : 0; }},
       .cost = {"(p-1) (alpha + alpha_uni) + (p-1)/p n (beta + beta_uni + gamma)",
                [](S s, R r) {
                  return (s.p - 1) * (r.alpha + r.alpha_uni) +
                         share(s) * s.n * (r.beta + r.beta_uni + r.gamma);
                }},
       .scratch = {"at most n", vector},
       .source = "Thakur, Rabenseifner, Gropp 2005, 5.3",
       .file = "reduce/pairwise_direct.cpp",
       .generate = front::reduce<reduce_pairwise_direct>});
  add({C::reduce},
      {.name = "ring_gather",
       .summary = "bucket distributed combine, binomial gather",
       .valid = commutative,
       .rounds = {"q + p - 1", [](S s) { return s.q() + s.p - 1; }},
       .cost = {"(p-1) alpha + q alpha_uni + (p-1)/p n (beta + beta_uni + gamma) (root 0)",
                [](S s, R r) {
                  return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma) +
                         tree_cost(s.p, s.root, s.n / s.p, r);
                }},
       .scratch = {"at most n", vector},
       .source = "Mitra et al. 1995, 3.2.2",
       .file = "reduce/ring_gather.cpp",
       .generate = front::reduce<reduce_ring_gather>});
  add({C::reduce},
      {.name = "chain",
       .summary = "pipelined chain in rank order; two chains meet at an inner root",
       .valid = any,
       .rounds = {"longer chain - 1 + k; root 0: p - 2 + k",
                  [](S s) {
                    const int longer = std::max(s.root, s.p - 1 - s.root);
                    return s.p > 1 ? longer - 1 + static_cast<int>(segments(s)) : 0;
                  }},
       .cost = {"(p-2 + k) (alpha + n/k (beta + gamma)), k = n / segment; inner root: 2k messages",
                [](S s, R r) { return reduce_chain_cost(s.p, s.root, s.n, segments(s), r); }},
       .scratch = {"at most n", vector},
       .source = "the chain broadcast backwards",
       .file = "reduce/chain.cpp",
       .parameters = {reduce_segment},
       .generate = front::reduce<reduce_chain>});
  add({C::reduce},
      {.name = "circulant",
       .summary = "the circulant broadcast backwards",
       .valid = commutative,
       .rounds = {"k - 1 + q",
                  [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
       .cost = {"(k-1 + q) (alpha + n/k (beta + gamma))",
                [](S s, R r) {
                  const double part = s.n / blocks(s);
                  if (s.p < 3) return (s.p - 1) * blocks(s) * (one_way(r, part) + part * r.gamma);
                  return (blocks(s) - 1 + s.q()) * (exchange(r, part) + part * r.gamma);
                }},
       .exact = Exact::one_cost,
       .scratch = {"at most n", vector},
       .source = "Träff 2022-2025",
       .file = "reduce/circulant.cpp",
       .parameters = {reduce_blocks},
       .generate = front::reduce<reduce_circulant>});

  add({C::allreduce},
      {.name = "linear",
       .summary = "everyone sends to everyone, everyone combines in rank order: one round",
       .valid = any,
       .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
       .cost = {"(p-1) (alpha + n beta + n gamma)",
                [](S s, R r) { return (s.p - 1) * (exchange(r, s.n) + s.n * r.gamma); }},
       .scratch = {"none; in place n", vector_in_place},
       .source = "baseline",
       .file = "allreduce/linear.cpp",
       .generate = front::allreduce_apart<allreduce_linear>});
  add({C::allreduce},
      {.name = "star",
       .summary = "all send to rank 0, which combines in rank order and sends each the result",
       .valid = any,
       .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
       .cost = {"(p-1) (2 alpha_uni + 2 n beta_uni + n gamma)",
                [](S s, R r) { return (s.p - 1) * (2 * one_way(r, s.n) + s.n * r.gamma); }},
       .scratch = {"none", none},
       .source = "baseline",
       .file = "allreduce/star.cpp",
       .generate = front::allreduce<allreduce_star>});
  add({C::allreduce},
      {.name = "reduce_bcast",
       .summary = "binomial reduce, binomial broadcast",
       .valid = any,
       .rounds = {"2q", [](S s) { return 2 * s.q(); }},
       .cost = {"2q (alpha_uni + n beta_uni) + q n gamma",
                [](S s, R r) { return 2 * s.q() * one_way(r, s.n) + s.q() * s.n * r.gamma; }},
       .scratch = {"none", none},
       .source = "Mitra et al. 1995, 3.2.1; Thakur, Rabenseifner, Gropp 2005, 5",
       .file = "allreduce/reduce_bcast.cpp",
       .generate = front::allreduce<allreduce_reduce_bcast>});
  add({C::allreduce},
      {.name = "recursive_doubling",
       .summary =
           "exchange whole vectors over doubling distances; other p: fold before, unfold after",
       .valid = any,
       .rounds = {"q (2^k); else floor(lg p) + 2",
                  [](S s) { return exact_p(s) ? s.q() : floor_log2(s.p) + 2; }},
       .cost = {"lg p (alpha + n beta + n gamma) (2^k); else two messages and one combination more",
                [](S s, R r) {
                  const double fold = exact_p(s) ? 0 : 2 * one_way(r, s.n) + s.n * r.gamma;
                  return fold + lg_kept(s) * (exchange(r, s.n) + s.n * r.gamma);
                }},
       .scratch = {"n", vector},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.5",
       .file = "allreduce/recursive_doubling.cpp",
       .generate = front::allreduce<allreduce_recursive_doubling>});
  add({C::allreduce},
      {.name = "rabenseifner",
       .summary = "recursive vector halving and doubling; folds half vectors for other p",
       .valid = any,
       .rounds = {"2q (2^k); else 3 + 2 floor(lg p)",
                  [](S s) { return exact_p(s) ? 2 * s.q() : 3 + 2 * floor_log2(s.p); }},
       .cost = {"2 lg p alpha + (p-1)/p n (2 beta + gamma) (2^k); else fold first, unfold last",
                [](S s, R r) {
                  const double part = (kept(s) - 1) / kept(s);
                  const double fold = exact_p(s) ? 0
                                                 : exchange(r, s.n / 2) + one_way(r, s.n / 2) +
                                                       s.n / 2 * r.gamma + one_way(r, s.n);
                  return fold + 2 * lg_kept(s) * r.alpha + part * s.n * (2 * r.beta + r.gamma);
                }},
       .scratch = {"none", none},
       .source = "Thakur, Rabenseifner, Gropp 2005, 5.1, Figure 12",
       .file = "allreduce/rabenseifner.cpp",
       .generate = front::allreduce<allreduce_rabenseifner>});
  add({C::allreduce}, {.name = "binary_blocks",
                       .summary = "blocks of 2^k ranks; equals rabenseifner at 2^k",
                       .valid = any,
                       .rounds = {"2q", [](S s) { return 2 * s.q(); }},
                       .cost = {"as rabenseifner (2^k); else delta_expo_max decides",
                                [](S s, R r) { return allreduce_binary_blocks_cost(s.p, s.n, r); }},
                       .scratch = {"none", none},
                       .source = "Thakur, Rabenseifner, Gropp 2005, 5.2, Figure 13",
                       .file = "allreduce/binary_blocks.cpp",
                       .generate = front::allreduce<allreduce_binary_blocks>});
  const auto twice_round = [](S s, R r) {
    return 2 * (s.p - 1) * r.alpha + share(s) * s.n * (2 * r.beta + r.gamma);
  };
  add({C::allreduce}, {.name = "two_shot",
                       .summary = "linear reduce-scatter, linear allgather",
                       .valid = any,
                       .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
                       .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
                       .scratch = {"none", none},
                       .source = "baseline",
                       .file = "allreduce/two_shot.cpp",
                       .generate = front::allreduce<allreduce_two_shot>});
  add({C::allreduce}, {.name = "pairwise_ring",
                       .summary = "pairwise reduce-scatter, ring allgather",
                       .valid = commutative,
                       .rounds = {"2(p-1)", [](S s) { return 2 * (s.p - 1); }},
                       .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
                       .scratch = {"none", none},
                       .source = "Thakur, Rabenseifner, Gropp 2005, 5.3",
                       .file = "allreduce/pairwise_ring.cpp",
                       .generate = front::allreduce<allreduce_pairwise_ring>});
  add({C::allreduce}, {.name = "ring",
                       .summary = "bucket distributed combine, bucket collect; two neighbours only",
                       .valid = commutative,
                       .rounds = {"2(p-1)", [](S s) { return 2 * (s.p - 1); }},
                       .cost = {"2(p-1) alpha + (p-1)/p n (2 beta + gamma)", twice_round},
                       .scratch = {"none", none},
                       .source = "Mitra et al. 1995, 3.2.2",
                       .file = "allreduce/ring.cpp",
                       .node_ordered = true,
                       .generate = front::allreduce<allreduce_ring, true>});
  add({C::allreduce}, {.name = "circulant",
                       .summary = "circulant reduce-scatter, circulant allgather",
                       .valid = commutative,
                       .rounds = {"2q", [](S s) { return 2 * s.q(); }},
                       .cost = {"2q alpha + (p-1)/p n (2 beta + gamma)",
                                [](S s, R r) {
                                  return 2 * s.q() * r.alpha +
                                         share(s) * s.n * (2 * r.beta + r.gamma);
                                }},
                       .scratch = {"none", none},
                       .source = "Träff 2024",
                       .file = "allreduce/circulant.cpp",
                       .generate = front::allreduce<allreduce_circulant>});

  const auto reduce_scatter = {C::reduce_scatter, C::reduce_scatter_block};
  const auto combine_from_each = [](S s, R r) {
    return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma);
  };
  add(reduce_scatter, {.name = "linear",
                       .summary = "each sends each its block, one round",
                       .valid = any,
                       .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                       .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma)", combine_from_each},
                       .scratch = {"none; in place one block",
                                   [](const Problem& problem) {
                                     return if_in_place(problem, largest_block(problem));
                                   }},
                       .source = "baseline",
                       .file = "reduce_scatter/linear.cpp",
                       .generate = front::reduce_scatter_own<reduce_scatter_linear>});
  add(reduce_scatter,
      {.name = "star",
       .summary = "all send to rank 0, which combines in rank order and sends each its block",
       .valid = any,
       .rounds = {"2", [](S s) { return s.p > 1 ? 2 : 0; }},
       .cost = {"2(p-1) alpha_uni + ((p-1) + (p-1)/p) n beta_uni + (p-1) n gamma",
                [](S s, R r) {
                  return 2 * (s.p - 1) * r.alpha_uni + (s.p - 1 + share(s)) * s.n * r.beta_uni +
                         (s.p - 1) * s.n * r.gamma;
                }},
       .scratch = {"at most n", vector},
       .source = "baseline",
       .file = "reduce_scatter/star.cpp",
       .generate = front::reduce_scatter<reduce_scatter_star>});
  add(reduce_scatter, {.name = "reduce_scatterv",
                       .summary = "the old way: binomial reduce, linear scatterv",
                       .valid = any,
                       .rounds = {"q + 1", [](S s) { return s.p > 1 ? s.q() + 1 : 0; }},
                       .cost = {"(q + p-1) alpha_uni + (q + (p-1)/p) n beta_uni + q n gamma",
                                [](S s, R r) {
                                  return (s.q() + s.p - 1) * r.alpha_uni +
                                         (s.q() + share(s)) * s.n * r.beta_uni +
                                         s.q() * s.n * r.gamma;
                                }},
                       .scratch = {"at most n", vector},
                       .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
                       .file = "reduce_scatter/reduce_scatterv.cpp",
                       .generate = front::reduce_scatter<reduce_scatter_reduce_scatterv>});
  add(reduce_scatter,
      {.name = "recursive_halving",
       .summary = "exchange what the other half needs over halving distances",
       .valid = commutative,
       .rounds = {"q (2^k); else floor(lg p) + 2",
                  [](S s) { return exact_p(s) ? s.q() : floor_log2(s.p) + 2; }},
       .cost = {"lg p alpha + (p-1)/p n (beta + gamma) (2^k); else fold first, unfold last",
                [](S s, R r) { return halving_reduce_scatter_cost(s.p, s.n / s.p, r); }},
       .scratch = {"at most n", vector},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.4, Figure 9",
       .file = "reduce_scatter/recursive_halving.cpp",
       .generate = front::reduce_scatter<reduce_scatter_recursive_halving>});
  add(reduce_scatter,
      {.name = "recursive_doubling",
       .summary = "exchange all but the own tree's blocks over doubling distances, rank order",
       .valid = any,
       .rounds = {"q (2^k); at most 2q", doubling_rounds},
       .cost = {"lg p alpha + n (lg p - (p-1)/p) (beta + gamma) (2^k); else correction steps more",
                [](S s, R r) { return doubling_reduce_scatter_cost(s.p, s.n / s.p, r); }},
       .scratch = {"at most 2n", [](const Problem& problem) { return 2 * vector(problem); }},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
       .file = "reduce_scatter/recursive_doubling.cpp",
       .generate = front::reduce_scatter<reduce_scatter_recursive_doubling>});
  add(reduce_scatter,
      {.name = "pairwise",
       .summary = "step i: to r+i, from r-i, only what the peer needs",
       .valid = any,
       .rounds = {"p - 1", [](S s) { return s.p - 1; }},
       .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma); not commutative: n/p gamma more",
                [](S s, R r) {
                  const double joined = s.commutative || s.p < 3 ? 0 : 1;
                  return (s.p - 1) * r.alpha + share(s) * s.n * (r.beta + r.gamma) +
                         joined * s.n / s.p * r.gamma;
                }},
       .scratch = {"none; one block if not commutative, one more in place",
                   [](const Problem& problem) {
                     const std::size_t most = largest_block(problem);
                     return (problem.commutative || problem.p == 1 ? 0 : most) +
                            if_in_place(problem, most);
                   }},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.4",
       .file = "reduce_scatter/pairwise.cpp",
       .generate = front::reduce_scatter_own<reduce_scatter_pairwise>});
  add(reduce_scatter, {.name = "ring",
                       .summary = "bucket distributed combine; two neighbours only",
                       .valid = commutative,
                       .rounds = {"p - 1", [](S s) { return s.p - 1; }},
                       .cost = {"(p-1) alpha + (p-1)/p n (beta + gamma)", combine_from_each},
                       .scratch = {"at most n", vector},
                       .source = "Mitra et al. 1995, 3.1.2",
                       .file = "reduce_scatter/ring.cpp",
                       .node_ordered = true,
                       .generate = front::reduce_scatter<reduce_scatter_ring, true>});
  add(reduce_scatter,
      {.name = "circulant",
       .summary = "q rounds and p-1 blocks for every p",
       .valid = commutative,
       .rounds = {"q", [](S s) { return s.q(); }},
       .cost = {"q alpha + (p-1)/p n (beta + gamma)",
                [](S s, R r) { return s.q() * r.alpha + share(s) * s.n * (r.beta + r.gamma); }},
       .scratch = {"at most n", vector},
       .source = "Träff 2024",
       .file = "reduce_scatter/circulant.cpp",
       .generate = front::reduce_scatter<reduce_scatter_circulant>});

  const auto alltoall_family = {C::alltoall, C::alltoallv, C::alltoallw};
  add(alltoall_family, {.name = "linear",
                        .summary = "all receives and sends at once, peers (r+i) mod p",
                        .valid = any,
                        .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
                        .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
                        .scratch = {"none; in place n", vector_in_place},
                        .source = "Thakur, Rabenseifner, Gropp 2005, 4.3",
                        .file = "alltoall/linear.cpp",
                        .generate = front::alltoall<alltoall_linear>});
  add({C::alltoall},
      {.name = "bruck",
       .summary = "rotation, store-and-forward steps by digits, inverse rotation",
       .valid = any,
       .rounds = {"q for radix 2; else up to (radix-1) per digit",
                  [](S s) {
                    double messages, sent;
                    bruck_volume(s, messages, sent);
                    return static_cast<int>(messages);
                  }},
       .cost = {"q alpha + n/2 lg p beta (2^k); else (n/p) (one-bits in 1..p-1) beta; of radix 2",
                [](S s, R r) {
                  double messages, sent;
                  bruck_volume(s, messages, sent);
                  return messages * r.alpha + sent * s.n / s.p * r.beta;
                }},
       .scratch = {"2n",
                   [](const Problem& problem) {
                     return 2 * problem.total() + vector_in_place(problem);
                   }},
       .source = "Thakur, Rabenseifner, Gropp 2005, 4.3, Figure 7; Bruck et al. 1997",
       .file = "alltoall/bruck.cpp",
       .parameters = {radix},
       .generate = front::alltoall<alltoall_bruck>});
  add({C::alltoall}, {.name = "recursive_doubling",
                      .summary = "all data exchanged, each picks its own",
                      .valid = any,
                      .rounds = {"q (2^k); at most 2q", doubling_rounds},
                      .cost = {"q alpha + (p-1) n beta (2^k); else correction steps more",
                               [](S s, R r) { return doubling_allgather_cost(s.p, s.n, r); }},
                      .scratch = {"p n",
                                  [](const Problem& problem) {
                                    return static_cast<std::size_t>(problem.p) * problem.total() +
                                           vector_in_place(problem);
                                  }},
                      .source = "Thakur, Gropp 2002, 4.5",
                      .file = "alltoall/recursive_doubling.cpp",
                      .generate = front::alltoall<alltoall_recursive_doubling>});
  add({C::alltoall}, {.name = "pairwise_xor",
                      .summary = "partner r xor i",
                      .valid = power_of_two,
                      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
                      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
                      .scratch = {"none; in place n", vector_in_place},
                      .source = "Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5",
                      .file = "alltoall/pairwise_xor.cpp",
                      .generate = front::alltoall<alltoall_pairwise_xor>});
  add(alltoall_family, {.name = "pairwise",
                        .summary = "step i: to r+i, from r-i",
                        .valid = any,
                        .rounds = {"p - 1", [](S s) { return s.p - 1; }},
                        .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
                        .scratch = {"none; in place n", vector_in_place},
                        .source = "Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5",
                        .file = "alltoall/pairwise.cpp",
                        .generate = front::alltoall<alltoall_pairwise>});

  Algorithm chain_scan{
      .name = "linear",
      .summary = "a chain",
      .valid = any,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) (alpha_uni + n beta_uni) + (p-1) n gamma; exscan p-2 combinations",
               [](S s, R r) { return (s.p - 1) * (one_way(r, s.n) + s.n * r.gamma); }},
      .scratch = {"none; exscan n", none},
      .source = "baseline",
      .file = "scan/linear.cpp",
      .generate = front::scan<scan_linear>};
  add({C::scan}, chain_scan);
  chain_scan.cost.value = [](S s, R r) {
    return (s.p - 1) * one_way(r, s.n) + std::max(0, s.p - 2) * s.n * r.gamma;
  };
  chain_scan.scratch.value = vector;
  chain_scan.generate = front::exscan<exscan_linear>;
  add({C::exscan}, chain_scan);

  Algorithm pipelined_scan{
      .name = "chain",
      .summary = "pipelined chain of segments",
      .valid = any,
      .rounds = {"p - 2 + k",
                 [](S s) { return s.p > 1 ? s.p - 2 + static_cast<int>(segments(s)) : 0; }},
      .cost = {"(p-2 + k) (alpha + n/k (beta + gamma)), k = n / segment; exscan one combination "
               "less",
               [](S s, R r) { return reduce_chain_cost(s.p, s.p - 1, s.n, segments(s), r); }},
      .scratch = {"none; exscan n", none},
      .source = "the chain of the reduce, whose every rank keeps what it passes on",
      .file = "scan/chain.cpp",
      .parameters = {reduce_segment},
      .generate = front::scan<scan_chain>};
  add({C::scan}, pipelined_scan);
  pipelined_scan.cost.value = [](S s, R r) { return exscan_chain_cost(s.p, s.n, segments(s), r); };
  pipelined_scan.scratch.value = vector;
  pipelined_scan.generate = front::exscan<exscan_chain>;
  add({C::exscan}, pipelined_scan);

  Algorithm direct_scan{
      .name = "direct",
      .summary = "everyone sends to all above, in one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"at most (p-1) (alpha + n beta + n gamma); exscan p-2 combinations",
               [](S s, R r) { return (s.p - 1) * (exchange(r, s.n) + s.n * r.gamma); }},
      .exact = Exact::one_cost,
      .scratch = {"none; in place n", vector_in_place},
      .source = "baseline",
      .file = "scan/direct.cpp",
      .generate = front::allreduce_apart<scan_direct>};
  add({C::scan}, direct_scan);
  direct_scan.cost.value = [](S s, R r) {
    return (s.p - 1) * exchange(r, s.n) + std::max(0, s.p - 2) * s.n * r.gamma;
  };
  direct_scan.generate = front::allreduce_apart<exscan_direct>;
  add({C::exscan}, direct_scan);

  Algorithm doubling_scan{
      .name = "recursive_doubling",
      .summary = "partial results over doubling distances",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q (alpha + n beta) + at most (2q-1) n gamma",
               [](S s, R r) { return scan_doubling_cost(s.p, s.n, r); }},
      .scratch = {"2n", [](const Problem& problem) { return 2 * vector(problem); }},
      .source = "Thakur, Rabenseifner, Gropp 2005 (named)",
      .file = "scan/recursive_doubling.cpp",
      .generate = front::scan<scan_recursive_doubling>};
  add({C::scan}, doubling_scan);
  doubling_scan.cost.value = [](S s, R r) { return exscan_doubling_cost(s.p, s.n, r); };
  doubling_scan.generate = front::exscan<exscan_recursive_doubling>;
  add({C::exscan}, doubling_scan);

  // Over meshes; with one dimension they are trees and rings of above.
  add({C::bcast},
      {.name = "hybrid",
       .summary = "a mesh: scatter along its long dimensions, trees along the others, rings back",
       .valid = any,
       .rounds = {"sum of ceil(lg d) + d-1 over long dimensions d, ceil(lg d) over the others",
                  hybrid_rounds<C::bcast>},
       .cost = {"long d: scatter and ring of v, v = v/d; else ceil(lg d) (alpha_uni + v beta_uni)",
                hybrid_seconds<C::bcast>},
       .scratch = {"none", none},
       .source = "Mitra et al. 1995, 3.3 and 3.4",
       .file = "bcast/hybrid.cpp",
       .parameters = {shape_parameter, long_parameter},
       .generate = front::bcast<bcast_hybrid>});
  add({C::scatter},
      {.name = "hybrid",
       .summary = "a mesh: trees along its dimensions, the first first",
       .valid = any,
       .rounds = {"sum of ceil(lg d) over the dimensions d", hybrid_rounds<C::scatter>},
       .cost = {"(sum of ceil(lg d)) alpha_uni + (p-1)/p n beta_uni (root 0)",
                hybrid_seconds<C::scatter>},
       .scratch = {"at most 2n/3", passing},
       .source = "Mitra et al. 1995, 3.3",
       .file = "scatter/hybrid.cpp",
       .parameters = {shape_parameter},
       .generate = front::scatter_mesh});
  add({C::gather}, {.name = "hybrid",
                    .summary = "a mesh: trees along its dimensions, the last first",
                    .valid = any,
                    .rounds = {"sum of ceil(lg d) over the dimensions d", hybrid_rounds<C::gather>},
                    .cost = {"(sum of ceil(lg d)) alpha_uni + (p-1)/p n beta_uni (root 0)",
                             hybrid_seconds<C::gather>},
                    .scratch = {"at most 2n/3", passing},
                    .source = "Mitra et al. 1995, 3.3",
                    .file = "gather/hybrid.cpp",
                    .parameters = {shape_parameter},
                    .generate = front::gather_mesh});
  add({C::allgather, C::allgatherv},
      {.name = "hybrid",
       .summary = "a mesh: trees along its last dimensions, then rings along the long ones",
       .valid = any,
       .rounds = {"sum of d-1 over long dimensions d, 2 ceil(lg d) over the others",
                  hybrid_rounds<C::allgather>},
       .cost = {"long d: (d-1) alpha + (d-1)/d v beta, v = v/d; the others as gather_bcast of v",
                hybrid_seconds<C::allgather>},
       .scratch = {"none", none},
       .source = "Mitra et al. 1995, 3.3 and 3.4",
       .file = "allgather/hybrid.cpp",
       .parameters = {shape_parameter, long_parameter},
       .generate = front::allgather<allgather_hybrid>});
  add({C::reduce},
      {.name = "hybrid",
       .summary = "a mesh: rings combine along its long dimensions, trees along the others, gather",
       .valid = any,
       .rounds = {"sum of d-1 + ceil(lg d) over long dimensions d, ceil(lg d) over the others",
                  hybrid_rounds<C::reduce>},
       .cost = {"long d: ring, gather of v, v = v/d; else ceil(lg d) (alpha_uni + v (beta_uni + "
                "gamma))",
                hybrid_seconds<C::reduce>},
       .scratch = {"at most n", vector},
       .source = "Mitra et al. 1995, 3.3 and 3.4",
       .file = "reduce/hybrid.cpp",
       .parameters = {shape_parameter, reduction_long_parameter},
       .generate = front::reduce<reduce_hybrid>});
  add({C::allreduce},
      {.name = "hybrid",
       .summary = "a mesh: rings along its long dimensions, trees along the others, rings back",
       .valid = any,
       .rounds = {"sum of 2(d-1) over long dimensions d, 2 ceil(lg d) over the others",
                  hybrid_rounds<C::allreduce>},
       .cost =
           {"long d: 2(d-1) alpha + (d-1)/d v (2 beta + gamma), v = v/d; else as reduce_bcast of v",
            hybrid_seconds<C::allreduce>},
       .scratch = {"none", none},
       .source = "Mitra et al. 1995, 3.3 and 3.4",
       .file = "allreduce/hybrid.cpp",
       .parameters = {shape_parameter, reduction_long_parameter},
       .generate = front::allreduce<allreduce_hybrid>});
  add(reduce_scatter,
      {.name = "hybrid",
       .summary = "a mesh: rings combine along its long dimensions, trees along the others",
       .valid = any,
       .rounds = {"sum of d-1 over long dimensions d, 2 ceil(lg d) over the others",
                  hybrid_rounds<C::reduce_scatter>},
       .cost =
           {"long d: (d-1) alpha + (d-1)/d v (beta + gamma), v = v/d; else reduce and scatter of v",
            hybrid_seconds<C::reduce_scatter>},
       .scratch = {"at most n", vector},
       .source = "Mitra et al. 1995, 3.3 and 3.4",
       .file = "reduce_scatter/hybrid.cpp",
       .parameters = {shape_parameter, reduction_long_parameter},
       .generate = front::reduce_scatter<reduce_scatter_hybrid>});

  /// A composition over nodes; `inner` is what runs between them.
  const auto add_over_nodes = [&](std::initializer_list<C> collectives, Algorithm row,
                                  InnerProblem inner) {
    row.exact = Exact::topology;
    row.node_aware = true;
    row.parameters.push_back(inner_parameter(inner));
    add(collectives, row);
  };
  /// With one leader for each node, and with several.
  const auto add_leader = [&](std::initializer_list<C> collectives, Algorithm row,
                              InnerProblem inner) {
    add_over_nodes(collectives, row, inner);
    row.name = "multi_leader";
    row.summary = "as leader, with several leaders for each node";
    row.parameters = {leaders_parameter};
    add_over_nodes(collectives, row, inner);
  };
  add_leader({C::barrier},
             {.name = "leader",
              .summary = "nodes report to their leaders, the leaders meet, the nodes go on",
              .valid = any,
              .rounds = {"2 + inner", nullptr},
              .cost = {"2 (s-1) alpha_uni + inner, s ranks on the largest node", nullptr},
              .scratch = {"what the inner one needs", none},
              .source = node_aware_source,
              .file = "barrier/leader.cpp",
              .generate = front::over_nodes<barrier_leader, C::barrier>},
             {C::barrier, between_leaders});
  add_leader(
      {C::bcast},
      {.name = "leader",
       .summary = "over the leaders of the nodes, then inside each node",
       .valid = any,
       .rounds = {"inner + 1", nullptr},
       .cost = {"inner + (s-1) (alpha_uni + n beta_uni), s ranks on the largest node", nullptr},
       .scratch = {"what the inner one needs", none},
       .source = smp_source,
       .file = "bcast/leader.cpp",
       .generate = front::over_nodes<bcast_leader, C::bcast>},
      {C::bcast, between_leaders});
  add_leader(
      {C::allgather, C::allgatherv},
      {.name = "leader",
       .summary = "each node's blocks to its leader, over the leaders, and all into the nodes",
       .valid = any,
       .rounds = {"2 + inner", nullptr},
       .cost = {"(s-1) (2 alpha_uni + (1/p + 1) n beta_uni) + inner, s ranks on the largest node",
                nullptr},
       .scratch = {"what the inner one needs", none},
       .source = smp_source,
       .file = "allgather/leader.cpp",
       .generate = front::over_nodes<allgather_leader, C::allgatherv>},
      {C::allgatherv, blocks_between_leaders<C::allgatherv>});
  add_leader(
      {C::reduce},
      {.name = "leader",
       .summary = "inside each node to its leader, then over the leaders",
       .valid = ordered_nodes,
       .rounds = {"1 + inner", nullptr},
       .cost = {"(s-1) (alpha_uni + n beta_uni + n gamma) + inner, s ranks on the largest node",
                nullptr},
       .scratch = {"at most n, and what the inner one needs", vector},
       .source = smp_source,
       .file = "reduce/leader.cpp",
       .generate = front::over_nodes<reduce_leader, C::reduce>},
      {C::reduce, between_leaders});
  add_leader(
      {C::allreduce},
      {.name = "leader",
       .summary = "inside each node to its leader, over the leaders, and back into the nodes",
       .valid = ordered_nodes,
       .rounds = {"2 + inner", nullptr},
       .cost = {"(s-1) (2 alpha_uni + 2n beta_uni + n gamma) + inner, s ranks on the largest node",
                nullptr},
       .scratch = {"what the inner one needs", none},
       .source = smp_source,
       .file = "allreduce/leader.cpp",
       .generate = front::over_nodes<allreduce_leader, C::allreduce>},
      {C::allreduce, between_leaders});
  add_leader(
      {C::alltoall},
      {.name = "leader",
       .summary = "each node's data to its leader, an all-to-all of the leaders, and back",
       .valid = any,
       .rounds = {"2 + inner", nullptr},
       .cost = {"2 (s-1) (alpha_uni + n beta_uni) + inner of s n, s ranks on the largest node",
                nullptr},
       .scratch = {"2s n, and what the inner one needs; unequal nodes are padded to the largest",
                   [](const Problem& problem) {
                     const Topology nodes = front::nodes_of(problem.topology, problem.p);
                     const std::size_t s = largest_node(problem);
                     return 2 * s * problem.total() +
                            (nodes.is_uniform() ? 0 : nodes.nodes() * s * s * problem.count);
                   }},
       .source = node_aware_source,
       .file = "alltoall/leader.cpp",
       .generate = front::over_nodes<alltoall_leader, C::alltoall>},
      {C::alltoall, alltoall_between_leaders});

  Algorithm learning_leader{
      .name = "leader",
      .summary =
          "each node's counts, then its data to its leader, an all-to-all of the leaders, "
          "and back",
      .valid = any,
      .rounds = {"3 + inner", nullptr},
      .cost = {"(s-1) (3 alpha_uni + (2n + 16p) beta_uni) + inner of s n, s ranks on a node",
               nullptr},
      .scratch = {"the node's data twice and 16 s p bytes, and what the inner one needs",
                  [](const Problem& problem) {
                    const Topology nodes = front::nodes_of(problem.topology, problem.p);
                    std::vector<std::size_t> data(nodes.nodes());
                    for (Rank r = 0; r < problem.p; ++r)
                      for (Rank i = 0; i < problem.p; ++i)
                        data[nodes.node_of(r)] += problem.block(r, i) + problem.block(i, r);
                    return *std::max_element(data.begin(), data.end()) +
                           2 * bytes_per_count * nodes.largest() * problem.p;
                  }},
      .source = node_aware_source,
      .file = "alltoallv/leader.cpp",
      .learns = true,
      .generate = front::over_nodes<alltoallv_leader, C::alltoallv>};
  add_leader({C::alltoallv, C::alltoallw}, learning_leader,
             {C::alltoallv, alltoallv_between_leaders});
  const auto node_blocks = [](const Problem& problem) {
    return largest_node(problem) * problem.count *
           (front::nodes_of(problem.topology, problem.p).is_uniform() ? 1 : problem.p);
  };
  add_leader(
      {C::scatter},
      {.name = "leader",
       .summary = "each node's blocks to its leader, who hands them out",
       .valid = any,
       .rounds = {"inner + 1", nullptr},
       .cost = {"inner + (s-1) (alpha_uni + n/p beta_uni), s ranks on the largest node", nullptr},
       .scratch = {"s n/p, and what the inner one needs; unequal nodes are padded to the "
                   "largest",
                   node_blocks},
       .source = smp_source,
       .file = "scatter/leader.cpp",
       .generate = front::over_nodes<scatter_leader, C::scatter>},
      {C::scatter, padded_between_leaders});
  add_leader(
      {C::gather},
      {.name = "leader",
       .summary = "each node's blocks to its leader, the leaders' to the root",
       .valid = any,
       .rounds = {"1 + inner", nullptr},
       .cost = {"(s-1) (alpha_uni + n/p beta_uni) + inner, s ranks on the largest node", nullptr},
       .scratch = {"s n/p, and what the inner one needs; unequal nodes are padded to the "
                   "largest",
                   node_blocks},
       .source = smp_source,
       .file = "gather/leader.cpp",
       .generate = front::over_nodes<gather_leader, C::gather>},
      {C::gather, padded_between_leaders});
  const auto node_data_and_counts = [](const Problem& problem) {
    const Topology nodes = front::nodes_of(problem.topology, problem.p);
    std::vector<std::size_t> data(nodes.nodes());
    for (Rank r = 0; r < problem.p; ++r) data[nodes.node_of(r)] += problem.block(r);
    return *std::max_element(data.begin(), data.end()) + bytes_per_count * problem.p;
  };
  add_leader({C::scatterv},
             {.name = "leader",
              .summary = "counts, then each node's blocks to its leader, who hands them out",
              .valid = any,
              .rounds = {"1 + inner + 1", nullptr},
              .cost = {"inner + (N+s-2) alpha_uni + (8p + (s-1) n/p) beta_uni, N nodes of s ranks",
                       nullptr},
              .scratch = {"the node's data and 8p bytes, and what the inner one needs",
                          node_data_and_counts},
              .source = smp_source,
              .file = "scatterv/leader.cpp",
              .learns = true,
              .generate = front::over_nodes<scatterv_leader, C::scatterv>},
             {C::scatterv, blocks_between_leaders<C::scatterv>});
  add_leader(
      {C::gatherv},
      {.name = "leader",
       .summary = "each node's counts, then its blocks to its leader, the leaders' to the root",
       .valid = any,
       .rounds = {"2 + inner", nullptr},
       .cost = {"(s-1) (2 alpha_uni + (n/p + 8) beta_uni) + inner, s ranks on the largest node",
                nullptr},
       .scratch = {"the node's data and 8p bytes, and what the inner one needs",
                   node_data_and_counts},
       .source = smp_source,
       .file = "gatherv/leader.cpp",
       .learns = true,
       .generate = front::over_nodes<gatherv_leader, C::gatherv>},
      {C::gatherv, blocks_between_leaders<C::gatherv>});
  add_leader(
      reduce_scatter,
      {.name = "leader",
       .summary = "inside each node to its leader, over the leaders, each hands its blocks out",
       .valid = ordered_nodes,
       .rounds = {"2 + inner", nullptr},
       .cost = {"(s-1) (2 alpha_uni + (1 + 1/p) n beta_uni + n gamma) + inner, s ranks on a node",
                nullptr},
       .scratch = {"n and the blocks of a node, and what the inner one needs",
                   [](const Problem& problem) { return 2 * problem.total(); }},
       .source = smp_source,
       .file = "reduce_scatter/leader.cpp",
       .generate = front::over_nodes<reduce_scatter_leader, C::reduce_scatter>},
      {C::reduce_scatter, blocks_between_leaders<C::reduce_scatter>});
  Algorithm leader_scan{
      .name = "leader",
      .summary = "inside each node, then an exclusive scan of the nodes' results is put before",
      .valid = consecutive_nodes,
      .rounds = {"2 + inner; exscan 3 + inner", nullptr},
      .cost =
          {"(s-1) (alpha + n beta + n gamma) + inner + (s-1) (alpha_uni + n beta_uni) + n gamma",
           nullptr},
      .scratch = {"at most 3n, and what the inner one needs",
                  [](const Problem& problem) { return 3 * vector(problem); }},
      .source = smp_source,
      .file = "scan/leader.cpp",
      .generate = front::over_nodes<scan_leader, C::exscan>};
  const auto exscan_between_leaders = [](const Problem& problem, const Parameters& parameters) {
    Problem result = between_leaders(problem, parameters);
    result.collective = C::exscan;
    result.in_place.clear();
    return result;
  };
  add_leader({C::scan}, leader_scan, {C::exscan, exscan_between_leaders});
  leader_scan.generate = front::over_nodes<exscan_leader, C::exscan>;
  add_leader({C::exscan}, leader_scan, {C::exscan, exscan_between_leaders});

  add_over_nodes({C::barrier},
                 {.name = "full_lane",
                  .summary = "inside each node first, then a barrier in each lane",
                  .valid = any,
                  .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
                  .cost = {"(s-1) alpha + inner, s ranks on the largest node", nullptr},
                  .scratch = {"what the inner one needs", none},
                  .source = lane_source,
                  .file = "barrier/full_lane.cpp",
                  .generate = front::over_nodes<barrier_full_lane, C::barrier>},
                 {C::barrier, between_leaders});
  add_over_nodes(
      {C::bcast},
      {.name = "full_lane",
       .summary = "the root's node shares out, each lane broadcasts its part, the nodes "
                  "put it together",
       .valid = any,
       .rounds = {"1 + inner + 1", nullptr},
       .cost = {"(l-1) alpha_uni + n beta_uni + inner of n/l + (s-1) (alpha + n/l beta), "
                "l lanes",
                nullptr},
       .scratch = {"what the inner one needs", none},
       .source = lane_source,
       .file = "bcast/full_lane.cpp",
       .generate = front::over_nodes<bcast_full_lane, C::bcast>},
      {C::bcast, in_lane});
  const auto lane_blocks = [](const Problem& problem) {
    const Topology nodes = front::nodes_of(problem.topology, problem.p);
    return nodes.nodes() * most_served(nodes) * problem.count;
  };
  add_over_nodes(
      {C::scatter},
      {.name = "full_lane",
       .summary = "the root's node shares out, each lane scatters the blocks of those it serves",
       .valid = any,
       .rounds = {"1 + inner; unequal nodes: 1 + inner + 1", nullptr},
       .cost = {"(l-1) (alpha_uni + n/l beta_uni) + inner of n/l, l lanes", nullptr},
       .scratch = {"n/l, for unequal nodes more; and what the inner one needs", lane_blocks},
       .source = lane_source,
       .file = "scatter/full_lane.cpp",
       .generate = front::over_nodes<scatter_full_lane, C::scatter>},
      {C::scatter, padded_in_lane});
  add_over_nodes(
      {C::gather},
      {.name = "full_lane",
       .summary = "each lane gathers the blocks of those it serves, the root's node puts them "
                  "together",
       .valid = any,
       .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
       .cost = {"inner of n/l + (l-1) (alpha_uni + n/l beta_uni), l lanes", nullptr},
       .scratch = {"n/l, for unequal nodes more; and what the inner one needs", lane_blocks},
       .source = lane_source,
       .file = "gather/full_lane.cpp",
       .generate = front::over_nodes<gather_full_lane, C::gather>},
      {C::gather, padded_in_lane});
  const auto lane_data_and_counts = [](const Problem& problem) {
    const Topology nodes = front::nodes_of(problem.topology, problem.p);
    std::vector<std::size_t> data(nodes.smallest());
    for (Rank r = 0; r < problem.p; ++r)
      data[nodes.place_of(r) % nodes.smallest()] += problem.block(r);
    return *std::max_element(data.begin(), data.end()) + bytes_per_count * problem.p;
  };
  add_over_nodes(
      {C::scatterv},
      {.name = "full_lane",
       .summary = "counts, then the root's node shares out, each lane scatters the blocks of those "
                  "it serves",
       .valid = any,
       .rounds = {"2 + inner; unequal nodes: 2 + inner + 1", nullptr},
       .cost = {"(l-1) (2 alpha_uni + (n + 8p)/l beta_uni) + inner of n/l, l lanes", nullptr},
       .scratch = {"the lane's data and 8p bytes, and what the inner one needs",
                   lane_data_and_counts},
       .source = lane_source,
       .file = "scatterv/full_lane.cpp",
       .learns = true,
       .generate = front::over_nodes<scatterv_full_lane, C::scatterv>},
      {C::scatterv, blocks_in_lane<C::scatterv>});
  add_over_nodes(
      {C::gatherv},
      {.name = "full_lane",
       .summary = "counts, then each lane gathers the blocks of those it serves, the root's node "
                  "puts them together",
       .valid = any,
       .rounds = {"1 + inner + 1; unequal nodes: 2 + inner + 1", nullptr},
       .cost = {"(l-1) (2 alpha_uni + (n + 8p)/l beta_uni) + inner of n/l, l lanes", nullptr},
       .scratch = {"the lane's data and 8p bytes, and what the inner one needs",
                   lane_data_and_counts},
       .source = lane_source,
       .file = "gatherv/full_lane.cpp",
       .learns = true,
       .generate = front::over_nodes<gatherv_full_lane, C::gatherv>},
      {C::gatherv, blocks_in_lane<C::gatherv>});
  add_over_nodes(
      {C::allgather, C::allgatherv},
      {.name = "full_lane",
       .summary = "an allgather in each lane, then inside each node",
       .valid = any,
       .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
       .cost = {"inner of n/l over the nodes + (s-1) (alpha + n/l beta), l lanes", nullptr},
       .scratch = {"what the inner one needs", none},
       .source = lane_source,
       .file = "allgather/full_lane.cpp",
       .generate = front::over_nodes<allgather_full_lane, C::allgatherv>},
      {C::allgatherv, blocks_in_lane<C::allgatherv>});
  add_over_nodes(
      {C::reduce},
      {.name = "full_lane",
       .summary = "a reduce-scatter inside each node, a reduction in each lane, a gather in the "
                  "root's node",
       .valid = ordered_nodes,
       .rounds = {"1 + inner + 1", nullptr},
       .cost =
           {"(s-1) (alpha + n/l (beta + gamma)) + inner of n/l + gather of n in a node, l lanes",
            nullptr},
       .scratch = {"n/l at most twice, and what the inner one needs",
                   [](const Problem& problem) { return 2 * in_lane(problem, {}).count; }},
       .source = lane_source,
       .file = "reduce/full_lane.cpp",
       .generate = front::over_nodes<reduce_full_lane, C::reduce>},
      {C::reduce, in_lane});
  add_over_nodes(
      {C::allreduce},
      {.name = "full_lane",
       .summary = "a reduce-scatter inside each node, an allreduce in each lane, an allgather "
                  "inside each node",
       .valid = ordered_nodes,
       .rounds = {"2 + inner", nullptr},
       .cost = {"2 (s-1) (alpha + n/l beta) + (s-1) n/l gamma + inner of n/l, l lanes", nullptr},
       .scratch = {"what the inner one needs", none},
       .source = lane_source,
       .file = "allreduce/full_lane.cpp",
       .generate = front::over_nodes<allreduce_full_lane, C::allreduce>},
      {C::allreduce, in_lane});
  add_over_nodes(
      reduce_scatter,
      {.name = "full_lane",
       .summary = "inside each node first, then a reduce-scatter in each lane",
       .valid = ordered_nodes,
       .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
       .cost = {"(s-1) (alpha + n/l (beta + gamma)) + inner of n/l over the nodes, l lanes",
                nullptr},
       .scratch = {"n/l, for unequal nodes more; and what the inner one needs",
                   [](const Problem& problem) { return 2 * problem.total(); }},
       .source = lane_source,
       .file = "reduce_scatter/full_lane.cpp",
       .generate = front::over_nodes<reduce_scatter_full_lane, C::reduce_scatter>},
      {C::reduce_scatter, blocks_in_lane<C::reduce_scatter>});
  add_over_nodes(
      {C::alltoall},
      {.name = "send_aggregation",
       .summary = "inside each node first, then an all-to-all in each lane",
       .valid = any,
       .rounds = {"1 + inner; unequal nodes: 2 + inner", nullptr},
       .cost = {"(s-1) (alpha + n/s beta) + inner of n over the nodes, s ranks on each", nullptr},
       .scratch = {"n, in place and for unequal nodes more; and what the inner one needs",
                   lane_alltoall_scratch},
       .source = "Kumar, Mamidala, Panda 2008, 5, steps 1 and 2",
       .file = "alltoall/send_aggregation.cpp",
       .generate = front::over_nodes<alltoall_send_aggregation, C::alltoall>},
      {C::alltoall, alltoall_in_lane});
  add_over_nodes(
      {C::alltoall},
      {.name = "receive_distribution",
       .summary = "an all-to-all in each lane first, then inside each node",
       .valid = any,
       .rounds = {"inner + 1; unequal nodes: 1 + inner + 1", nullptr},
       .cost = {"inner of n over the nodes + (s-1) (alpha + n/s beta), s ranks on each", nullptr},
       .scratch = {"n, in place and for unequal nodes more; and what the inner one needs",
                   lane_alltoall_scratch},
       .source = "Kumar, Mamidala, Panda 2008, 5",
       .file = "alltoall/receive_distribution.cpp",
       .generate = front::over_nodes<alltoall_receive_distribution, C::alltoall>},
      {C::alltoall, alltoall_in_lane});
  add_over_nodes(
      {C::alltoallv, C::alltoallw},
      {.name = "send_aggregation",
       .summary = "counts, then data inside each node first, then an all-to-all in each lane",
       .valid = any,
       .rounds = {"2 + inner; unequal nodes: 3 + inner", nullptr},
       .cost = {"(s-1) (2 alpha + (n + 8p)/s beta) + inner of n over the nodes, s ranks on each",
                nullptr},
       .scratch = {"n and 24p bytes, for unequal nodes more; and what the inner one needs",
                   learned_aggregation_scratch},
       .source = "Kumar, Mamidala, Panda 2008, 5, steps 1 and 2",
       .file = "alltoallv/send_aggregation.cpp",
       .learns = true,
       .generate = front::over_nodes<alltoallv_send_aggregation, C::alltoallv>},
      {C::alltoallv, alltoallv_in_lane});
  Algorithm lane_scan{
      .name = "full_lane",
      .summary = "each node's ranks scan a part each, an exclusive scan in each lane is put before",
      .valid = consecutive_nodes,
      .rounds = {"1 + inner + 1", nullptr},
      .cost = {"2 (s-1) (alpha + n/l beta) + (2s-1) n/l gamma + inner of n/l, l lanes", nullptr},
      .scratch = {"s n/l, and what the inner one needs",
                  [](const Problem& problem) {
                    return largest_node(problem) * in_lane(problem, {}).count;
                  }},
      .source = lane_source,
      .file = "scan/full_lane.cpp",
      .generate = front::over_nodes<scan_full_lane, C::exscan>};
  add_over_nodes({C::scan}, lane_scan, {C::exscan, exscan_in_lane});
  lane_scan.generate = front::over_nodes<exscan_full_lane, C::exscan>;
  add_over_nodes({C::exscan}, lane_scan, {C::exscan, exscan_in_lane});

  std::stable_sort(rows.begin(), rows.end(), [](const Algorithm& a, const Algorithm& b) {
    return a.collective < b.collective;
  });
  return rows;
}

}  // namespace

int Size::q() const { return ceil_log2(p); }

double Size::parameter(std::string_view name) const {
  const auto found = parameters.find(name);
  if (found == parameters.end())
    throw std::invalid_argument(
        fmt::format("no parameter '{}'; resolve the parameters first", name));
  return static_cast<double>(found->second);
}

std::string Valid::unmet(int p, bool commutative_operator, const Topology* topology) const {
  if (power_of_two && !is_power_of_two(p))
    return fmt::format("needs a power of two of ranks, not {}", p);
  if (commutative && !commutative_operator) return "needs a commutative operator";
  if (nodes == Nodes::any || topology == nullptr || topology->is_contiguous()) return {};
  if (nodes == Nodes::consecutive) return "needs nodes that hold consecutive ranks";
  if (!commutative_operator)
    return "needs nodes that hold consecutive ranks, or a commutative operator";
  return {};
}

std::string Algorithm::valid_text() const {
  std::string result = valid.power_of_two ? "p = 2^k" : "any p";
  if (reduces(collective)) result += valid.commutative ? "; commutative" : ", any operator";
  if (valid.nodes == Valid::Nodes::consecutive) result += "; nodes of consecutive ranks";
  if (valid.nodes == Valid::Nodes::consecutive_unless_commutative)
    result += "; not commutative: nodes of consecutive ranks";
  return result;
}

std::string Algorithm::full_name() const { return fmt::format("{}/{}", name_of(collective), name); }

double Algorithm::seconds(const Size& size, const Rates& rates) const {
  if (size.n == 0 && collective != Collective::barrier && !learns) return 0;
  if (cost.value == nullptr) return std::numeric_limits<double>::infinity();
  return cost.value(size, rates) - overlapped(size, rates);
}

bool Algorithm::is_pipelined() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& each) { return each.pieces != nullptr; });
}

double Algorithm::overlapped(const Size& size, const Rates& rates) const {
  if (rates.post <= 0 || rounds.value == nullptr || is_pipelined()) return 0;
  const double exchanges = cost.value(size, {.alpha = 1}),
               one_way = cost.value(size, {.alpha_uni = 1}), messages = exchanges + one_way;
  const double more = messages - rounds.value(size);
  if (more <= 0) return 0;
  const double latency = (exchanges * rates.alpha + one_way * rates.alpha_uni) / messages;
  return more * std::max(0.0, latency - rates.post);
}

namespace {

/// The fastest algorithm that a composition may use, by the model; its place.
std::size_t fastest_inner(const Problem& problem, const Rates& rates) {
  const auto known = algorithms_of(problem.collective);
  std::size_t best = known.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < known.size(); ++i) {
    const Algorithm& each = *known[i];
    if (!each.may_be_inner() || !each.valid.unmet(problem.p, problem.commutative).empty()) continue;
    const double seconds = each.seconds({problem.p, bytes_of(problem), problem.root,
                                         problem.commutative, each.resolve(problem, rates)},
                                        rates);
    if (best < known.size() && seconds >= least * (1 - 1e-9)) continue;  // rounding is no gain
    best = i;
    least = seconds;
  }
  return best;
}

std::string unmet_inner(const Algorithm& inner, const Problem& problem, const Parameters& given) {
  const std::string unmet = inner.unmet(problem, given);
  return unmet.empty() ? unmet : fmt::format("uses {}, which {}", inner.name, unmet);
}

/// Adds the inner algorithm to the parameters, with its own.
void resolve_inner(const Algorithm& algorithm, const Parameter& parameter, const Problem& problem,
                   const Rates& rates, Parameters& parameters) {
  const Problem inner_problem = parameter.inner->of(problem, parameters);
  const std::string name(parameter.name);
  if (!parameters.contains(name)) parameters.emplace(name, fastest_inner(inner_problem, rates));
  const Algorithm& inner = inner_algorithm(parameter.inner->collective, parameters.at(name));
  const Parameters given = inner_parameters(parameters);
  if (const std::string unmet = unmet_inner(inner, inner_problem, given); !unmet.empty())
    throw std::invalid_argument(fmt::format("{}: {}", algorithm.full_name(), unmet));
  for (const auto& [key, value] : inner.resolve(inner_problem, rates, given))
    parameters.emplace(fmt::format("{}.{}", name, key), value);
}

}  // namespace

std::string Algorithm::unmet(const Problem& problem, const Parameters& given) const {
  std::string own = valid.unmet(problem.p, problem.commutative, problem.topology.get());
  for (const Parameter& parameter : parameters)
    if (const auto value = given.find(parameter.name);
        own.empty() && parameter.unmet != nullptr && value != given.end())
      own = parameter.unmet(problem, value->second);
  const Parameter* const by_name = inner();
  if (!own.empty() || by_name == nullptr || !given.contains(by_name->name)) return own;
  Parameters known = given;
  for (const Parameter& parameter : parameters)
    if (!parameter.inner && !known.contains(parameter.name))
      known.emplace(parameter.name, parameter.default_value(problem, {}, known));
  return unmet_inner(inner_algorithm(by_name->inner->collective, given.find(by_name->name)->second),
                     by_name->inner->of(problem, known), inner_parameters(given));
}

Parameters Algorithm::resolve(const Problem& problem, const Rates& rates,
                              const Parameters& given) const {
  for (const auto& [key, value] : given) {
    if (inner() != nullptr && key.starts_with(inner_prefix))
      continue;  // its own resolve sees to it
    const auto known =
        std::find_if(parameters.begin(), parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == key; });
    if (known == parameters.end())
      throw std::invalid_argument(fmt::format("{} has no parameter '{}'", full_name(), key));
    if (value < known->least)
      throw std::invalid_argument(fmt::format("{}: {} = {}, but it must be at least {}",
                                              full_name(), key, value, known->least));
    const std::size_t pieces = known->pieces == nullptr ? 0 : known->pieces(problem, value);
    if (pieces > most_pieces + static_cast<std::size_t>(problem.p))
      throw std::invalid_argument(
          fmt::format("{}: {} = {} cuts the data into {} pieces, but {} are the most", full_name(),
                      key, value, pieces, most_pieces));
    if (known->unmet == nullptr) continue;
    if (const std::string unmet = known->unmet(problem, value); !unmet.empty())
      throw std::invalid_argument(fmt::format("{}: {}", full_name(), unmet));
  }
  Parameters result = given;
  for (const Parameter& parameter : parameters)
    if (parameter.inner)
      resolve_inner(*this, parameter, problem, rates, result);
    else if (!result.contains(parameter.name))
      result.emplace(parameter.name, parameter.default_value(problem, rates, result));
  return result;
}

const std::vector<Algorithm>& registry() {
  static const std::vector<Algorithm> rows = table();
  return rows;
}

std::vector<const Algorithm*> algorithms_of(Collective collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm& algorithm : registry())
    if (algorithm.collective == collective) found.push_back(&algorithm);
  return found;
}

const Parameter* Algorithm::inner() const {
  for (const Parameter& parameter : parameters)
    if (parameter.inner) return &parameter;
  return nullptr;
}

const Algorithm& inner_algorithm(Collective collective, std::size_t value) {
  const auto known = algorithms_of(collective);
  if (value >= known.size() || !known[value]->may_be_inner())
    throw std::invalid_argument(fmt::format("inner = {} is no flat algorithm of {} (tutti list {})",
                                            value, name_of(collective), name_of(collective)));
  return *known[value];
}

Parameters inner_parameters(const Parameters& parameters) {
  Parameters result;
  for (const auto& [name, value] : parameters)
    if (name.starts_with(inner_prefix)) result.emplace(name.substr(inner_prefix.size()), value);
  return result;
}

Generator::Generator(const Algorithm& algorithm, const Call& call, const Parameters& parameters) {
  algorithm.generate(builder_, call, parameters);
}

}  // namespace tutti::core
