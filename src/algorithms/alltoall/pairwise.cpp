// Pairwise all-to-all: step i sends to r+i and receives from r-i. Also alltoallv and alltoallw.

#include "algorithms/adapt.hpp"
#include "algorithms/pattern/arithmetic.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_pairwise(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  const int p = g.size(), r = g.rank();
  for (int i = 1; i < p; ++i) {
    b.round();
    b.send(from[wrap(r + i, p)], g.at(wrap(r + i, p)));
    b.recv(to[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

}  // namespace

Rows alltoall_pairwise_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::alltoall, Collective::alltoallv, Collective::alltoallw},
      .summary = "step i: to r+i, from r-i",
      .valid = any,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none; in place n", vector_in_place},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5",
      .generate = adapt::alltoall<alltoall_pairwise>,
  }};
}

}  // namespace tutti::core
