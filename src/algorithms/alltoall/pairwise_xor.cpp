// Pairwise-exchange all-to-all: step i exchanges with r xor i.
//
//   valid    p = 2^k
//   rounds   p - 1
//   cost     (p-1) alpha + (p-1)/p n beta
//   scratch  none; in place n
//   source   Thakur, Rabenseifner, Gropp 2005, 4.3; Thakur, Gropp 2002, 4.5

#include "algorithms/algorithms.hpp"

namespace tutti::core {

void alltoall_pairwise_xor(Builder& b, const Group& g, const Blocks& from, const Blocks& to) {
  for (int i = 1; i < g.size(); ++i) {
    const int partner = g.rank() ^ i;
    b.round();
    b.send(from[partner], g.at(partner));
    b.recv(to[partner], g.at(partner));
  }
}

}  // namespace tutti::core
