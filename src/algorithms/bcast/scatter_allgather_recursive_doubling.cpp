// Broadcast by binomial scatter and recursive-doubling allgather.

#include "algorithms/adapt.hpp"
#include "algorithms/building_blocks.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_scatter_allgather_recursive_doubling(Builder& b, const Group& g, int root,
                                                const Slice& vector) {
  const Blocks blocks = split(vector, g.size());
  scatter_binomial(b, g, root, blocks);
  allgather_recursive_doubling(b, g, blocks);
}

}  // namespace

Rows bcast_scatter_allgather_recursive_doubling_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "binomial scatter, recursive-doubling allgather",
      .valid = any,
      .rounds = {"2q (2^k); at most 3q",
                 [](S s) {
                   return s.q() + rounds(doubling_allgather_cost(s.p, 1, count_messages));
                 }},
      .cost = {"q (alpha_uni + alpha) + (p-1)/p n (beta_uni + beta) (2^k); else a bound",
               [](S s, R r) {
                 return tree_cost(s.p, s.root, s.n / s.p, r) +
                        doubling_allgather_cost(s.p, s.n / s.p, r);
               }},
      .exact = Exact::powers_of_two,
      .scratch = {"none", none},
      .source = "Thakur, Gropp 2002, 4.3",
      .generate = adapt::bcast<bcast_scatter_allgather_recursive_doubling>,
  }};
}

}  // namespace tutti::core
