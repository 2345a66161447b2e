// Binary-blocks reduce: blocks of 2^k ranks reduce-scatter on their own, then hand up, then gather.
//
// A root outside the largest block gets the segment of rank 0 and plays its role in the gather.

#include "algorithms/pattern/binary_blocks.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/pattern/butterfly.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_binary_blocks(Builder& b, const Group& g, int root, const Slice& vector) {
  const int r = g.rank();
  const BinaryBlock largest = BinaryBlocks(g.size(), 0).mine;
  const Blocks segments = split(vector, largest.size);
  binary_blocks_reduce_scatter(b, g, segments);

  const bool root_is_outside = root >= largest.size;
  if (root_is_outside) {
    b.round();
    if (r == 0) return b.send(segments[0], g.at(root));
    if (r == root) b.recv(segments[0], g.at(0));
  }
  std::vector<Rank> members(largest.size);
  for (int i = 0; i < largest.size; ++i) members[i] = g.at(i);
  if (root_is_outside) members[0] = g.at(root);
  const Group gathering(std::move(members), g.at(r));
  if (gathering.has_me()) butterfly_gather(b, gathering, segments, root_is_outside ? 0 : root);
}

}  // namespace

Rows reduce_binary_blocks_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "blocks of 2^k ranks reduce-scatter, hand up to the next larger, gather",
      .valid = any,
      .rounds = {"2q; other p and root in the largest block: 2q - 1",
                 [](S s) { return exact_p(s) || s.root >= kept(s) ? 2 * s.q() : 2 * s.q() - 1; }},
      .cost = {"as rabenseifner (2^k); else delta_expo_max decides",
               [](S s, R r) { return reduce_binary_blocks_cost(s.p, s.root, s.n, r); }},
      .scratch = {"at most n", vector},
      .source = "Thakur, Rabenseifner, Gropp 2005, 5.2",
      .generate = adapt::reduce<reduce_binary_blocks>,
  }};
}

}  // namespace tutti::core
