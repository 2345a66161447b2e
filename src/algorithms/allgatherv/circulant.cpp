// Circulant allgatherv: every rank broadcasts its k pieces at once over the circulant graph.
//
// One message of a round holds a piece of every rank whose broadcast moves along that edge.

#include "algorithms/pattern/circulant.hpp"

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allgatherv_circulant(Builder& b, const Group& g, const Blocks& blocks, Pieces pieces) {
  const int p = g.size(), r = g.rank();
  const CirculantBroadcast graph(p, pieces.number);
  const std::shared_ptr<const AllEntries> entries = all_receive_entries(p);

  for (int i = graph.first_round(); p > 1 && i < graph.end_round(); ++i) {
    const int j = i % entries->phases;
    // What a rank receives in this round: for every root but itself, the piece its place demands.
    const auto received_by = [&](int rank) {
      Slices slices;
      for (int root = 0; root < p; ++root) {
        if (root == rank) continue;
        const int piece = graph.block(entries->at(wrap(rank - root, p), j), i);
        if (piece >= 0) slices.push_back(split(blocks[root], pieces.number)[piece]);
      }
      return slices;
    };
    const int to = (r + graph.skip(i)) % p, from = wrap(r - graph.skip(i), p);
    b.round();
    b.send(received_by(to), g.at(to));
    b.recv(received_by(r), g.at(from));
  }
}

/// Every rank's block is cut.
std::size_t cut_each_into(const Problem& problem, std::size_t blocks) {
  return blocks > most_pieces ? blocks : blocks * static_cast<std::size_t>(problem.p);
}

/// Equal blocks all move at once whatever their number is, so that more than one only costs rounds.
constexpr Parameter allgatherv_blocks{
    ParameterKind::blocks,
    "number of pieces of each block",
    1,
    "1; unequal blocks: sqrt((q-1) n beta / alpha)",
    [](const Problem& problem, const Rates& r, const Parameters&) {
      const std::size_t most = most_pieces / static_cast<std::size_t>(problem.p) + 1;
      return equal_blocks(problem) ? 1 : std::min(most, circulant_blocks(problem, r.alpha, r.beta));
    },
    cut_each_into};

}  // namespace

Rows allgatherv_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allgatherv},
      .summary = "every rank broadcasts its pieces at once over the circulant graph",
      .valid = any,
      .rounds = {"k - 1 + q",
                 [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
      .cost = {"(k-1 + q) alpha + (p-1)/p n beta",
               [](S s, R r) {
                 return s.p > 1 ? (blocks(s) - 1 + s.q()) * r.alpha + share(s) * s.n * r.beta : 0.0;
               }},
      .scratch = {"none", none},
      .source = "Träff 2022-2025",
      .parameters = {allgatherv_blocks},
      .generate = adapt::allgather<allgatherv_circulant>,
  }};
}

}  // namespace tutti::core
