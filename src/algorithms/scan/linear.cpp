// Linear scan and exscan: a chain.

#include <algorithm>

#include "algorithms/adapt.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

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

}  // namespace

Rows scan_linear_rows() {
  using namespace terms;
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "a chain",
      .valid = any,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) (alpha_uni + n beta_uni) + (p-1) n gamma; exscan p-2 combinations",
               [](S s, R r) { return (s.p - 1) * (one_way(r, s.n) + s.n * r.gamma); }},
      .scratch = {"none; exscan n", none},
      .source = "baseline",
      .generate = adapt::scan<scan_linear>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.cost.value = [](S s, R r) {
    return (s.p - 1) * one_way(r, s.n) + std::max(0, s.p - 2) * s.n * r.gamma;
  };
  exscan.scratch.value = vector;
  exscan.generate = adapt::exscan<exscan_linear>;
  return {scan, exscan};
}

}  // namespace tutti::core
