// Round-optimal reduce of k blocks: the circulant broadcast backwards.
//
// Where the broadcast receives a block the reduce sends it, and where it sends one it receives and
// combines.

#include "algorithms/pattern/circulant.hpp"
#include "algorithms/adapt.hpp"
#include "algorithms/parameters.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void reduce_circulant(Builder& b, const Group& g, int root, const Slice& vector, Pieces blocks) {
  const int p = g.size();
  const auto at = [&](int relative) { return g.at((relative + root) % p); };
  const Blocks block = split(vector, blocks.number);
  const auto hops = CirculantBroadcast(p, blocks.number).hops(wrap(g.rank() - root, p));
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    b.round();
    if (hop->in >= 0) b.send(block[hop->in], at(hop->from));
    if (hop->out >= 0) b.recv_reduce(block[hop->out], at(hop->to), Side::right);
  }
}

constexpr Parameter reduce_blocks{ParameterKind::blocks,
                                  "number of blocks",
                                  1,
                                  "sqrt((q-1) n (beta+gamma) / alpha)",
                                  [](const Problem& problem, const Rates& r, const Parameters&) {
                                    return circulant_blocks(problem, r.alpha, r.beta + r.gamma);
                                  },
                                  cut_into};

}  // namespace

Rows reduce_circulant_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::reduce},
      .summary = "the circulant broadcast backwards",
      .valid = commutative,
      .rounds = {"k - 1 + q",
                 [](S s) { return s.p > 1 ? static_cast<int>(blocks(s)) - 1 + s.q() : 0; }},
      .cost = {"(k-1 + q) (alpha + n/k (beta + gamma))",
               [](S s, R r) {
                 const double part = s.n / blocks(s);
                 if (s.p < 3) return (s.p - 1) * blocks(s) * (one_way(r, part) + part * r.gamma);
                 return (blocks(s) - 1 + s.q()) * (exchange(r, part) + part * r.gamma);
               }},
      .exact = Exact::one_cost,
      .scratch = {"at most n", vector},
      .source = "Träff 2022-2025",
      .parameters = {reduce_blocks},
      .generate = adapt::reduce<reduce_circulant>,
  }};
}

}  // namespace tutti::core
