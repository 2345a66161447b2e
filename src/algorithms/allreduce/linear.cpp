// Linear allreduce: everyone sends to everyone, everyone combines in rank order, in one round.
//
//   valid    any p, any operator
//   rounds   1
//   cost     (p-1) (alpha + n beta + n gamma)
//   scratch  none; in place n
//   source   baseline
//
// All ranks begin with the vector of rank 0, so all compute the same expression.

#include "algorithms/algorithms.hpp"
#include "algorithms/pattern/arithmetic.hpp"

namespace tutti::core {

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

}  // namespace tutti::core
