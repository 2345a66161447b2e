// Dissemination barrier.
//
// After round k rank r has heard, directly or not, from ranks r, r-1, ..., r-2^(k+1)+1 (mod p).

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void barrier_dissemination(Builder& b, const Group& g) {
  const int p = g.size(), r = g.rank();
  for (int distance = 1; distance < p; distance *= 2) {
    b.round();
    b.signal(g.at(wrap(r + distance, p)));
    b.await(g.at(wrap(r - distance, p)));
  }
}

}  // namespace

Rows barrier_dissemination_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::barrier},
      .summary = "round k: token to r+2^k, from r-2^k",
      .valid = any,
      .rounds = {"q", [](S s) { return s.q(); }},
      .cost = {"q alpha", [](S s, R r) { return s.q() * r.alpha; }},
      .scratch = {"none", none},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.1.2",
      .generate = adapt::barrier<barrier_dissemination>,
  }};
}

}  // namespace tutti::core
