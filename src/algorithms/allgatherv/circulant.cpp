// Circulant allgatherv: every rank broadcasts its k pieces at once over the circulant graph.
//
//   valid    any p
//   rounds   k - 1 + q
//   cost     (k-1 + q) alpha + (p-1)/p n beta
//   scratch  none
//   source   Träff 2022-2025
//
// One message of a round holds a piece of every rank whose broadcast moves along that edge.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void allgatherv_circulant(Builder& b, const Group& g, const Blocks& blocks, int pieces) {
  const int p = g.size(), r = g.rank();
  const CirculantBroadcast graph(p, pieces);
  std::vector<std::vector<int>> entries(p);  // of each place relative to a root
  for (int i = 1; i < p; ++i) entries[i] = graph.receive_entries(i);
  std::vector<Blocks> cut;  // each rank's block, in pieces
  for (int i = 0; i < p; ++i) cut.push_back(split(blocks[i], pieces));

  for (int i = graph.first_round(); p > 1 && i < graph.end_round(); ++i) {
    const int j = i % static_cast<int>(entries[1].size());
    // What a rank receives in this round: for every root but itself, the piece its place demands.
    const auto received_by = [&](int rank) {
      Slices slices;
      for (int root = 0; root < p; ++root) {
        if (root == rank) continue;
        const int piece = graph.block(entries[wrap(rank - root, p)][j], i);
        if (piece >= 0) slices.push_back(cut[root][piece]);
      }
      return slices;
    };
    const int to = (r + graph.skip(i)) % p, from = wrap(r - graph.skip(i), p);
    b.round();
    b.send(received_by(to), g.at(to));
    b.recv(received_by(r), g.at(from));
  }
}

}  // namespace tutti::core
