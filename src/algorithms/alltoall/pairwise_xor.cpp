// Pairwise-exchange all-to-all: step i exchanges with r xor i.

#include "algorithms/adapt.hpp"
#include "algorithms/terms.hpp"

namespace tutti::core {

namespace {

void alltoall_pairwise_xor(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  for (int i = 1; i < g.size(); ++i) {
    const int partner = g.rank() ^ i;
    b.round();
    b.send(from[partner], g.at(partner));
    b.recv(to[partner], g.at(partner));
  }
}

}  // namespace

Rows alltoall_pairwise_xor_rows() {
  using namespace terms;
  return {{
      .collectives = {Collective::alltoall},
      .summary = "partner r xor i",
      .valid = power_of_two,
      .rounds = {"p - 1", [](S s) { return s.p - 1; }},
      .cost = {"(p-1) alpha + (p-1)/p n beta", all_to_each},
      .scratch = {"none; in place n", vector_in_place},
      .source = "Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5",
      .generate = adapt::alltoall<alltoall_pairwise_xor>,
  }};
}

}  // namespace tutti::core
