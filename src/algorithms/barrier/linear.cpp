// Linear barrier: everyone tells everyone, in one round.
//
// Where ranks outnumber cores a round costs more than its messages.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void barrier_linear(Builder& b, const Group& g) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) b.signal(g.at(wrap(r + i, p)));
  for (int i = 1; i < p; ++i) b.await(g.at(wrap(r - i, p)));
}

}  // namespace

Rows barrier_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::barrier},
      .summary = "token to everyone, from everyone",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) alpha", [](S s, R r) { return (s.p - 1) * r.alpha; }},
      .scratch = {"none", none},
      .source = "baseline",
      .generate = adapt::barrier<barrier_linear>,
  }};
}

}  // namespace tutti::core
