// Pipelined chain broadcast: k segments pass from each rank to the next.
//
// In round t the rank at distance d from the root receives segment t-d+1 and sends segment t-d.

#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_chain(Builder& b, const Group& g, int root, const Slice& vector, Segments segments) {
  const int p = g.size(), distance = wrap(g.rank() - root, p);
  const Rank before = g.at(wrap(g.rank() - 1, p)), behind = g.at(wrap(g.rank() + 1, p));
  const Blocks segment = split(vector, segments.number);
  const int delay = distance == 0 ? 0 : 1;  // a segment is sent the round after it came
  for (int t = 0; t < segments.number + delay; ++t) {
    b.round();
    if (distance > 0 && t < segments.number) b.recv(segment[t], before);
    if (distance < p - 1 && t >= delay) b.send(segment[t - delay], behind);
  }
}

constexpr Parameter bcast_segment{ParameterKind::segment,
                                  "bytes per segment",
                                  1,
                                  "sqrt(n alpha / ((p-2) beta)); all of it at p = 2",
                                  [](const Problem& problem, const Rates& r, const Parameters&) {
                                    return chain_segment(problem, r.alpha, r.beta);
                                  },
                                  cut_to};

}  // namespace

Rows bcast_chain_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "pipelined chain of segments",
      .valid = any,
      .rounds = {"p - 2 + k",
                 [](S s) { return s.p > 1 ? s.p - 2 + static_cast<int>(segments(s)) : 0; }},
      .cost = {"(p-2 + k) (alpha + n/k beta), k = n / segment; first and last one way",
               [](S s, R r) { return bcast_chain_cost(s.p, s.n, segments(s), r); }},
      .scratch = {"none", none},
      .source = "Träff et al. 2008, 2.2 (its degenerate case)",
      .parameters = {bcast_segment},
      .generate = adapt::bcast<bcast_chain>,
  }};
}

}  // namespace tutti::core
