// Round-optimal broadcast of k blocks over the circulant graph.
//
// In round i every rank sends to the one s_j ahead and receives from the one s_j behind, j = i mod
// q. What a rank sends is what its peer receives; the root receives nothing.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void bcast_circulant(Builder& b, const Group& g, int root, const Slice& vector, Pieces blocks) {
  const int p = g.size();
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks.number);
  for (const auto& hop : CirculantBroadcast(p, blocks.number).hops(wrap(g.rank() - root, p))) {
    b.round();
    if (hop.out >= 0) b.send(block[hop.out], at(hop.to));
    if (hop.in >= 0) b.recv(block[hop.in], at(hop.from));
  }
}

constexpr Parameter bcast_blocks{ParameterKind::blocks,
                                 "number of blocks",
                                 1,
                                 "sqrt((q-1) n beta / alpha)",
                                 [](const Problem& problem, const Rates& r, const Parameters&) {
                                   return circulant_blocks(problem, r.alpha, r.beta);
                                 },
                                 cut_into};

}  // namespace

Rows bcast_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::bcast},
      .summary = "k blocks over the circulant graph, round-optimal for every p",
      .valid = any,
      .rounds = {"k - 1 + q",
                 [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
      .cost = {"(k-1 + q) (alpha + n/k beta)",
               [](S s, R r) {
                 const double part = s.n / blocks(s);
                 if (s.p < 3) return (s.p - 1) * blocks(s) * one_way(r, part);
                 return (blocks(s) - 1 + s.q()) * exchange(r, part);
               }},
      .exact = Exact::one_cost,
      .scratch = {"none", none},
      .source = "Träff 2022-2025",
      .parameters = {bcast_blocks},
      .generate = adapt::bcast<bcast_circulant>,
  }};
}

}  // namespace tutti::core
