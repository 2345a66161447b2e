// Pipelined chain scan and exscan.

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scan_chain(Builder& b, const Group& g, const Slice& result, Segments segments) {
  const int p = g.size(), r = g.rank();
  const Blocks segment = split(result, segments.number);
  const int delay = r > 0 ? 1 : 0;  // a segment is sent the round after it came
  for (int t = 0; t < segments.number + delay; ++t) {
    b.round();
    if (r > 0 && t < segments.number) b.recv_reduce(segment[t], g.at(r - 1), Side::left);
    if (r < p - 1 && t >= delay) b.send(segment[t - delay], g.at(r + 1));
  }
}

void exscan_chain(Builder& b, const Group& g, const Slice& contribution, const Slice& result,
                  Segments segments) {
  const int p = g.size(), r = g.rank();
  const bool passes_on = r > 0 && r < p - 1;
  const Slice whole = passes_on ? b.scratch(result.count) : contribution;
  const Blocks exclusive = split(result, segments.number),
               inclusive = split(whole, segments.number);
  b.round();
  if (passes_on) b.copy(contribution, whole);
  for (int t = 0; t < segments.number + (passes_on ? 1 : 0); ++t) {
    b.round();
    if (r > 0 && t < segments.number) b.recv(exclusive[t], g.at(r - 1));
    if (r == 0 && p > 1) b.send(inclusive[t], g.at(1));
    if (!passes_on) continue;
    if (t > 0) b.send(inclusive[t - 1], g.at(r + 1));
    b.round();
    if (t < segments.number) b.reduce(exclusive[t], inclusive[t], Side::left);
  }
}

}  // namespace

Rows scan_chain_rows() {
  using namespace terms;
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "pipelined chain of segments",
      .valid = any,
      .rounds = {"p - 2 + k",
                 [](S s) { return s.p > 1 ? s.p - 2 + static_cast<int>(segments(s)) : 0; }},
      .cost = {"(p-2 + k) (alpha + n/k (beta + gamma)), k = n / segment; exscan one combination "
               "less",
               [](S s, R r) { return reduce_chain_cost(s.p, s.p - 1, s.n, segments(s), r); }},
      .scratch = {"none; exscan n", none},
      .source = "the chain of the reduce, whose every rank keeps what it passes on",
      .parameters = {reduce_segment},
      .generate = adapt::scan<scan_chain>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.cost.value = [](S s, R r) { return exscan_chain_cost(s.p, s.n, segments(s), r); };
  exscan.scratch.value = vector;
  exscan.generate = adapt::exscan<exscan_chain>;
  return {scan, exscan};
}

}  // namespace tutti::core
