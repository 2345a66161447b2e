// Linear scan and exscan: a chain.
//
//   valid    any p, any operator
//   rounds   p - 1
//   cost     (p-1) (alpha_uni + n beta_uni) + (p-1) n gamma; exscan p-2 combinations
//   scratch  none; exscan n
//   source   baseline

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void scan_linear(Builder& b, const Group& g, const Slice& result) {
  const int p = g.size(), r = g.rank();
  b.round();
  if (r > 0) b.recv_reduce(result, g.at(r - 1), Side::left);
  b.round();
  if (r < p - 1) b.send(result, g.at(r + 1));
}

void exscan_linear(Builder& b, const Group& g, const Slice& contribution, const Slice& result) {
  const int p = g.size(), r = g.rank();
  b.round();
  if (r == 0) return p > 1 ? b.send(contribution, g.at(1)) : void();
  if (r == p - 1) return b.recv(result, g.at(r - 1));
  const Slice inclusive = b.scratch(result.count);
  b.copy(contribution, inclusive);
  b.round();
  b.recv(result, g.at(r - 1));
  b.round();
  b.reduce(result, inclusive, Side::left);
  b.round();
  b.send(inclusive, g.at(r + 1));
}

}  // namespace tutti::core
