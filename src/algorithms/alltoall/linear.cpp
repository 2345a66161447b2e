// Linear all-to-all: everything at once, peers scattered. Also alltoallv and alltoallw.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_linear(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) {
    b.send(from[wrap(r + i, p)], g.at(wrap(r + i, p)));
    b.recv(to[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

}  // namespace

Rows alltoall_linear_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::alltoall, Collective::alltoallv, Collective::alltoallw},
      .summary = "all receives and sends at once, peers (r+i) mod p",
      .valid = any,
      .rounds = {"1", [](S s) { return s.p > 1 ? 1 : 0; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none; in place n", vector_in_place},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.3",
      .generate = adapt::alltoall<alltoall_linear>,
  }};
}

}  // namespace tutti::core
