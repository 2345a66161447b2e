// Direct scan and exscan: everyone sends to all ranks above it, in one round.
//
//   valid    any p, any operator
//   rounds   1
//   cost     at most (p-1) (alpha + n beta + n gamma); exscan p-2 combinations
//   scratch  none; in place n
//   source   baseline
//
// Combines more than a chain, and waits once.

#include "algorithms/algorithms.hpp"

namespace tutti::core {

namespace {

void send_up(Builder& b, const Group& g, const Slice& contribution) {
  for (int i = g.rank() + 1; i < g.size(); ++i) b.send(contribution, g.at(i));
}

}  // namespace

void scan_direct(Builder& b, const Group& g, const Slice& contribution, const Slice& result) {
  b.round();
  b.copy(contribution, result);
  b.round();
  send_up(b, g, contribution);
  for (int i = g.rank() - 1; i >= 0; --i) b.recv_reduce(result, g.at(i), Side::left);
}

void exscan_direct(Builder& b, const Group& g, const Slice& contribution, const Slice& result) {
  b.round();
  send_up(b, g, contribution);
  if (g.rank() > 0) b.recv(result, g.at(g.rank() - 1));
  for (int i = g.rank() - 2; i >= 0; --i) b.recv_reduce(result, g.at(i), Side::left);
}

}  // namespace tutti::core
