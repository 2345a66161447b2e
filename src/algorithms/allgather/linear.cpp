// Linear allgather: everyone sends its block to everyone, in one round.
//
//   valid    any p
//   rounds   1
//   cost     (p-1) alpha + (p-1)/p n beta
//   scratch  none
//   source   baseline

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

void allgather_linear(Builder& b, const Group& g, const Blocks& blocks) {
  const int p = g.size(), r = g.rank();
  b.round();
  for (int i = 1; i < p; ++i) {
    b.send(blocks[r], g.at(wrap(r + i, p)));
    b.recv(blocks[wrap(r - i, p)], g.at(wrap(r - i, p)));
  }
}

}  // namespace tutti::core
