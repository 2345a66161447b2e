// Direct scan and exscan: everyone sends to all ranks above it, in one round.
//
// Combines more than a chain, and waits once.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void send_up(Builder& b, const Group& g, const Slice& contribution) {
  for (int i = g.rank() + 1; i < g.size(); ++i) b.send(contribution, g.at(i));
}

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

}  // namespace

Rows scan_direct_rows() {
  using namespace terms;
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "everyone sends to all above, in one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"at most (p-1) (alpha + n beta + n gamma); exscan p-2 combinations",
               [](S s, R r) { return (s.p - 1) * (exchange(r, s.n) + s.n * r.gamma); }},
      .exact = Exact::one_cost,
      .scratch = {"none; in place n", vector_in_place},
      .source = "baseline",
      .generate = adapt::allreduce_apart<scan_direct>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.cost.value = [](S s, R r) {
    return (s.p - 1) * exchange(r, s.n) + std::max(0, s.p - 2) * s.n * r.gamma;
  };
  exscan.generate = adapt::allreduce_apart<exscan_direct>;
  return {scan, exscan};
}

}  // namespace tutti::core
