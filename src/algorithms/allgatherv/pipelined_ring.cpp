// Pipelined ring allgatherv: blocks of at most B bytes pass round a ring.
//
// A rank sends its own pieces, the last one first, then passes on what comes. Empty ranks only pass
// on; they stand equidistantly between the others. A piece that comes to a rank later than its turn
// to be sent, because of the empty ranks before it, delays it and all behind it; the rank does not
// wait for it in idle rounds. b_i = max(1, pieces of rank i), b their sum. The paper's
// floor(z/(p-z)) is ceil where it does not divide; it takes more rounds only if a rank with data
// has no more than ceil(z/(p-z)) pieces, too few to bridge the empty ranks.
//
// Where nodes are known the ring goes from node to node, with one way in and one way out of each,
// and the last rank of a node has data if any of its ranks has: then every node sends at once.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

/// Ranks with data, and after each its share of the empty ones.
std::vector<int> spread(const Blocks& blocks, std::span<const Rank> ranks) {
  std::vector<int> full, empty, order;
  for (const int i : ranks) (blocks.count(i) > 0 ? full : empty).push_back(i);
  if (full.empty()) return empty;
  std::size_t used = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    order.push_back(full[i]);
    for (; used < empty.size() * (i + 1) / full.size(); ++used) order.push_back(empty[used]);
  }
  return order;
}

/// The ring's order: all ranks alike, or node by node.
std::vector<int> ring_order(const Blocks& blocks, int p, const Topology* topology) {
  std::vector<int> all(p), order;
  std::iota(all.begin(), all.end(), 0);
  if (topology == nullptr) return spread(blocks, all);
  for (int node = 0; node < topology->nodes(); ++node) {
    std::vector<int> ranks = spread(blocks, topology->ranks_of(node));
    std::rotate(ranks.begin(), ranks.begin() + 1, ranks.end());  // the first has data, if any has
    order.insert(order.end(), ranks.begin(), ranks.end());
  }
  return order;
}

/// The rounds in which the rank at a place sends its first `number` pieces. The k-th leaves at k,
/// or later: if the ranks at this place and the j-1 before it have S <= k pieces of their own, it
/// needs j hops after k - S.
std::vector<std::size_t> send_rounds(const std::vector<std::size_t>& pieces, int place,
                                     std::size_t number) {
  const int p = static_cast<int>(pieces.size());
  std::vector<std::size_t> rounds(number);
  std::size_t own = 0, delay = 0;
  int hops = 0;
  for (std::size_t k = 0; k < number; ++k) {
    while (hops < p && own + pieces[wrap(place - hops, p)] <= k) {
      own += pieces[wrap(place - hops, p)];
      if (static_cast<std::size_t>(++hops) > own + delay) delay = hops - own;
    }
    rounds[k] = k + delay;
  }
  return rounds;
}

void allgatherv_pipelined_ring(Builder& b, const Group& g, const Blocks& blocks, Segment segment,
                               const Topology* topology) {
  const int p = g.size();
  if (p == 1) return;
  const std::vector<int> order = ring_order(blocks, p, topology);
  const int place =
      static_cast<int>(std::find(order.begin(), order.end(), g.rank()) - order.begin());
  const int before = wrap(place - 1, p), behind = wrap(place + 1, p);
  std::vector<std::size_t> pieces(p);
  for (int i = 0; i < p; ++i)
    pieces[i] = (blocks.count(order[i]) + segment.elements - 1) / segment.elements;

  // What passes a place, in this order: its own pieces, last first, then those of the places before
  // it.
  const auto stream = [&](int from, int to) {
    Slices slices;
    for (int i = from; i != to; i = wrap(i - 1, p)) {
      const Slice block = blocks[order[i]];
      for (std::size_t end = block.count; end > 0;) {
        const std::size_t begin = (end - 1) / segment.elements * segment.elements;
        slices.push_back(block.part(begin, end - begin));
        end = begin;
      }
    }
    return slices;
  };
  const Slices outgoing = stream(place, behind), incoming = stream(before, place);
  const auto out = send_rounds(pieces, place, outgoing.size());
  const auto in = send_rounds(pieces, before, incoming.size());
  for (std::size_t o = 0, i = 0; o < out.size() || i < in.size();) {
    const bool sends = o < out.size() && (i == in.size() || out[o] <= in[i]);
    const bool receives = i < in.size() && (!sends || in[i] == out[o]);
    b.round();
    if (sends) b.send(outgoing[o++], g.at(order[behind]));
    if (receives) b.recv(incoming[i++], g.at(order[before]));
  }
}

/// Equation (2) of Träff et al. 2008, and what it leaves open: equal blocks are not cut; with one
/// rank that has data it is a chain; two ranks gain nothing from pieces.
std::size_t pipelined_segment(const Problem& problem, const Rates& r, const Parameters&) {
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
constexpr Parameter allgatherv_segment{ParameterKind::segment,
                                       "bytes per piece (the paper's B)",
                                       1,
                                       "equation (2); equal blocks are not cut; p = 2: not cut",
                                       pipelined_segment,
                                       cut_to};

}  // namespace

Rows allgatherv_pipelined_ring_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgatherv},
      .summary = "pieces of at most B pass round; empty ranks stand equidistantly",
      .valid = any,
      .rounds = {"b - min b_i; z empty ranks: b - z - 1 + ceil(z/(p-z)) or more, at most b - 1",
                 [](S s) {
                   const double pieces =
                       std::max(1.0, std::ceil(s.n / s.p / s.parameter(ParameterKind::segment)));
                   return static_cast<int>((s.p - 1) * pieces);
                 }},
      .cost = {"(rounds) (alpha + B beta), B = segment",
               [](S s, R r) {
                 const double pieces =
                     std::max(1.0, std::ceil(s.n / s.p / s.parameter(ParameterKind::segment)));
                 return (s.p - 1) * (pieces * r.alpha + s.n / s.p * r.beta);
               }},
      .scratch = {"none", none},
      .source = "Träff et al. 2008, 2.2-2.4",
      .node_ordered = true,
      .parameters = {allgatherv_segment},
      .generate = adapt::allgather<allgatherv_pipelined_ring>,
  }};
}

}  // namespace tutti::core
