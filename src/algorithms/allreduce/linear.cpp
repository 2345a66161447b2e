// Linear allreduce: everyone sends to everyone, everyone combines in rank order, in one round.
//
// All ranks begin with the vector of rank 0, so all compute the same expression.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void allreduce_linear(Builder& b, const Group& g, const Slice& contribution, const Slice& vector) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) b.send(contribution, g.at(wrap(r + i, p)));
  for (int i = 0; i < p; ++i) {
    if (i == r)
      i == 0 ? b.copy(contribution, vector) : b.reduce(contribution, vector, Side::right);
    else
      i == 0 ? b.recv(vector, g.at(i)) : b.recv_reduce(vector, g.at(i), Side::right);
  }
}

}  // namespace

Rows allreduce_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::allreduce},
      .summary = "everyone sends to everyone, everyone combines in rank order: one round",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) (alpha + n beta + n gamma)",
               [](S s, R r) { return (s.p - 1) * (exchange(r, s.n) + s.n * r.gamma); }},
      .scratch = {"none; in place n", vector_in_place},
      .source = "baseline",
      .generate = adapt::allreduce_apart<allreduce_linear>,
  }};
}

}  // namespace tutti::core
