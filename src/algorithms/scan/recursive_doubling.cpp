// Recursive-doubling scan and exscan.
//
// `partial` is the combination over the rank's tree; what comes from lower ranks also joins the
// result. A rank without a partner is in the last tree: nobody needs its partial result.

#include "algorithms/adapt.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void scan_by_doubling(Builder& b, const Group& g, const Slice& contribution, const Slice& result,
                      bool inclusive) {
  const int p = g.size(), r = g.rank();
  if (p == 1) return;
  const Slice partial = b.scratch(result.count), incoming = b.scratch(result.count);
  bool has_result = inclusive;
  b.round();
  b.copy(contribution, partial);
  for (int distance = 1; distance < p; distance *= 2) {
    const int partner = r ^ distance;
    if (partner >= p) continue;
    b.round();
    b.send(partial, g.at(partner));
    b.recv(incoming, g.at(partner));
    b.round();
    if (partner < r) {
      if (has_result)
        b.reduce(incoming, result, Side::left);
      else
        b.copy(incoming, result);
      has_result = true;
    }
    if (2 * distance < p) b.reduce(incoming, partial, partner < r ? Side::left : Side::right);
  }
}

void scan_recursive_doubling(Builder& b, const Group& g, const Slice& result) {
  scan_by_doubling(b, g, result, result, true);
}

void exscan_recursive_doubling(Builder& b, const Group& g, const Slice& contribution,
                               const Slice& result) {
  scan_by_doubling(b, g, contribution, result, false);
}

}  // namespace

Rows scan_recursive_doubling_rows() {
  using namespace terms;
  const Row scan{
      .collectives = {Collective::scan},
      .summary = "partial results over doubling distances",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q (alpha + n beta) + at most (2q-1) n gamma",
               [](S s, R r) { return scan_doubling_cost(s.p, s.n, r); }},
      .scratch = {"2n", [](const Problem& problem) { return 2 * vector(problem); }},
      .source = "Thakur, Rabenseifner, Gropp 2005 (named)",
      .generate = adapt::scan<scan_recursive_doubling>,
  };
  Row exscan = scan;
  exscan.collectives = {Collective::exscan};
  exscan.cost.value = [](S s, R r) { return exscan_doubling_cost(s.p, s.n, r); };
  exscan.generate = adapt::exscan<exscan_recursive_doubling>;
  return {scan, exscan};
}

}  // namespace tutti::core
