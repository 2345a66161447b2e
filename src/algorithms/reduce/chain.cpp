// Pipelined chain reduce, in rank order; for an inner root two chains meet there.
//
// The lower chain runs from rank 0 up, the higher one from rank p-1 down. An inner root receives
// both streams.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_chain(Builder& b, const Group& g, int root, const Slice& vector, Segments segments) {
  const int p = g.size(), r = g.rank();
  const Blocks segment = split(vector, segments.number);
  const bool has_lower = r > 0 && r <= root, has_higher = r < p - 1 && r >= root;
  const int delay = has_lower || has_higher ? 1 : 0;  // a segment is sent the round after it came
  for (int t = 0; t < segments.number + delay; ++t) {
    b.round();
    if (has_lower && t < segments.number) b.recv_reduce(segment[t], g.at(r - 1), Side::left);
    if (has_higher && t < segments.number) b.recv_reduce(segment[t], g.at(r + 1), Side::right);
    if (r != root && t >= delay) b.send(segment[t - delay], g.at(r < root ? r + 1 : r - 1));
  }
}

}  // namespace

Rows reduce_chain_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
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
      .parameters = {reduce_segment},
      .generate = adapt::reduce<reduce_chain>,
  }};
}

}  // namespace tutti::core
