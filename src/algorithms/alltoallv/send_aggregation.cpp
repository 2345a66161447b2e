// All-to-all of unequal blocks with send-side aggregation: inside each node first, then an
// all-to-all in each lane. Also alltoallw.
//
// As alltoall/send_aggregation, but inside the node the counts travel ahead of the data, so that a
// rank in a lane knows all that comes and goes; between the nodes nobody needs to be told. Unequal
// nodes: a lane also serves places beyond the lanes, who tell it what they get, too.

#include "algorithms/adapt.hpp"
#include "algorithms/over_nodes.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/pattern/halving.hpp"
#include "algorithms/pattern/inner.hpp"
#include "algorithms/pattern/nodes.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

/// What one rank tells a lane: how much it has for each rank that the lane serves; and if it is one
/// of them, how much it gets from each rank.
std::vector<std::size_t> told(const Call& c, const Lanes& lanes, int lane) {
  std::vector<std::size_t> result;
  const Blocks from = c.outgoing_in(c.source()), to = c.incoming_in(Buffer::output);
  for (const Rank rank : lanes.served(lane)) result.push_back(from.count(rank));
  for (Rank i = 0; i < c.p && lane == lanes.mine; ++i) result.push_back(to.count(i));
  return result;
}

/// Sends each lane what this rank has for those that the lane serves.
void send_to_lanes(Builder& b, const Call& c, const Lanes& lanes) {
  const Blocks from = c.outgoing_in(c.source());
  for (int i = 1; i <= lanes.number; ++i) {  // scattered: not all to the first place at once
    const int lane = wrap(lanes.node.rank() + i, lanes.number);
    const Rank carrier = lanes.node.at(lane);
    if (carrier != c.rank) b.send(blocks_of(from, lanes.served(lane)), carrier);
  }
}

/// The rounds of a rank in a lane, when it knows what its node's ranks tell it.
void exchange_by_lanes(Builder& b, const Call& c, const Topology& topology, const Inner& inner,
                       std::span<const std::size_t> counts) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const std::vector<Rank> served = lanes.served(lanes.mine);
  const auto next_counts = [&](std::size_t number) {
    const auto first = counts.first(number);
    counts = counts.subspan(number);
    return first;
  };
  const auto next_blocks = [&](std::size_t number) {
    const auto sizes = next_counts(number);
    return Blocks::of(b.scratch(Blocks::of({}, sizes).count(0, static_cast<int>(number))), sizes);
  };

  b.round();
  send_to_lanes(b, c, lanes);
  std::vector<Slices> aggregated;  // of each rank of my node, for each that my lane serves
  std::vector<Rank> here;          // those that my lane serves in my node,
  std::vector<Blocks> results;     // and what they get
  for (int i = 0; i < g.size(); ++i) {
    const bool own = g.at(i) == c.rank;
    const Slices given = blocks_of(c.outgoing_in(c.source()), served);
    if (own && !c.in_place) {
      next_counts(served.size());
      aggregated.push_back(given);
    } else {
      const Blocks blocks = next_blocks(served.size());
      aggregated.emplace_back();
      for (int k = 0; k < blocks.size(); ++k) aggregated.back().push_back(blocks[k]);
      own ? b.copy(given, aggregated.back()) : b.recv(aggregated.back(), g.at(i));
    }
    if (i % lanes.number != lanes.mine) continue;
    here.push_back(g.at(i));
    if (own) next_counts(c.p);
    results.push_back(own ? c.incoming_in(Buffer::output) : next_blocks(c.p));
  }

  Call between{.element_bytes = c.element_bytes};
  Slices input, output;
  std::size_t first = 0;  // of the node's ranks among the served
  for (int node = 0; node < topology.nodes(); ++node) {
    const std::size_t end = first + lanes.served(node, lanes.mine).size();
    Slices out, in;
    for (const Slices& each : aggregated)
      for (std::size_t i = first; i < end; ++i) out.push_back(each[i]);
    for (const Rank source : topology.ranks_of(node))
      for (const Blocks& each : results) in.push_back(each[source]);
    between.send_counts.push_back(count_of(out));
    between.recv_counts.push_back(count_of(in));
    input = join(std::move(input), out);
    output = join(std::move(output), in);
    first = end;
  }
  inner(b, lanes.lane, between, input, output);
  b.round();
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] != c.rank) b.send(results[i].range(0, c.p), here[i]);
}

void alltoallv_send_aggregation(Builder& b, const Call& c, const Topology& topology,
                                const Inner& inner) {
  const Lanes lanes(topology, c.rank);
  const Group& g = lanes.node;
  const std::vector<std::size_t> own = told(c, lanes, lanes.mine);
  if (g.size() == 1) return exchange_by_lanes(b, c, topology, inner, own);
  b.round();
  for (int lane = 0; lane < lanes.number; ++lane)
    if (g.at(lane) != c.rank) b.send(b.constants(told(c, lanes, lane)), g.at(lane));
  if (!lanes.carries()) {
    b.round();
    send_to_lanes(b, c, lanes);
    b.round();
    return b.recv(c.incoming_in(Buffer::output).range(0, c.p), g.at(lanes.mine));
  }
  Slice header = b.scratch(0);
  for (int i = 0; i < g.size(); ++i) {
    if (g.at(i) == c.rank) {
      header.count += b.constants(own).count;
      continue;
    }
    std::size_t number = lanes.served(lanes.mine).size();
    if (i % lanes.number == lanes.mine) number += c.p;
    const Slice counts = b.scratch(number * bytes_per_count);
    b.recv(counts, g.at(i));
    header.count += counts.count;
  }
  b.learn(header, [=](Builder& next, std::span<const std::size_t> learned) {
    exchange_by_lanes(next, c, topology, inner, learned);
  });
}

}  // namespace

Rows alltoallv_send_aggregation_rows() {
  using namespace terms;
  return over_nodes(
      {
          .collectives = {Collective::alltoallv, Collective::alltoallw},
          .summary = "counts, then data inside each node first, then an all-to-all in each lane",
          .valid = any,
          .rounds = {"2 + inner; unequal nodes: 3 + inner", nullptr},
          .cost = {"(s-1) (2 alpha + (n + 8p)/s beta) + inner of n over the nodes, s ranks on each",
                   nullptr},
          .scratch = {"n and 24p bytes, for unequal nodes more; and what the inner one needs",
                      learned_aggregation_scratch},
          .source = "Kumar, Mamidala, Panda 2008, 5, steps 1 and 2",
          .learns = true,
          .generate = adapt::over_nodes<alltoallv_send_aggregation, Collective::alltoallv>,
      },
      {Collective::alltoallv, alltoallv_in_lane});
}

}  // namespace tutti::core
